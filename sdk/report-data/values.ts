/** Basic types of report data. */
import { type TSchema, Type } from "../schema/schema.js";

/** Unknown members are errors. */
export const closed = { additionalProperties: false } as const;

const decimalPattern = "^-?[0-9]+(\\.[0-9]+)?$";

/** A text; may be empty. */
export function text(description: string) {
  return Type.String({ description });
}

/** An exact decimal number as text, such as "1052.40" or "-10", of any length and never with an exponent. */
export function decimal(description: string) {
  return Type.String({ description, pattern: decimalPattern });
}

/** A decimal number, or null. */
export function decimalOrNull(description: string) {
  return orNull(Type.String({ pattern: decimalPattern }), description);
}

/** A non-negative integer. */
export function count(description: string) {
  return Type.Integer({ description, minimum: 0 });
}

/** Yes or no. */
export function flag(description: string) {
  return Type.Boolean({ description });
}

/** A constant that identifies the kind of object. */
export function name<Name extends string>(value: Name, description: string) {
  return Type.Literal(value, { description });
}

/** One of the given names. */
export function oneOf<Names extends string[]>(names: readonly [...Names], description: string) {
  return Type.Enum<Names>([...names], { description });
}

/** A value of the schema, or null. */
export function orNull<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** A list of values of another definition. */
export function listOf<Name extends string>(part: Name, description: string) {
  return Type.Array(Type.Ref(part), { description });
}
