/** The small parts that the data of a report is made of. */
import { type TSchema, Type } from "../schema.js";

/** Members that are not described are a mistake. */
export const closed = { additionalProperties: false } as const;

const decimalPattern = "^-?[0-9]+(\\.[0-9]+)?$";

/** A text; empty where there is nothing to say. */
export function text(description: string) {
  return Type.String({ description });
}

/** An exact decimal number as text, such as "1052.40" or "-10", of any length and never with an exponent. */
export function decimal(description: string) {
  return Type.String({ description, pattern: decimalPattern });
}

/** A decimal number, or null where there is none. */
export function decimalOrNull(description: string) {
  return orNull(Type.String({ pattern: decimalPattern }), description);
}

/** A whole number of things. */
export function count(description: string) {
  return Type.Integer({ description, minimum: 0 });
}

/** Yes or no. */
export function flag(description: string) {
  return Type.Boolean({ description });
}

/** The one name that tells this kind of object from others. */
export function name<Name extends string>(value: Name, description: string) {
  return Type.Literal(value, { description });
}

/** One of some names. */
export function oneOf<Names extends string[]>(names: readonly [...Names], description: string) {
  return Type.Enum<Names>([...names], { description });
}

/** Such values, or null where there is none. */
export function orNull<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** A list of what another part describes. */
export function listOf<Name extends string>(part: Name, description: string) {
  return Type.Array(Type.Ref(part), { description });
}
