import { type Static, type TSchema, Type } from "@slipway/sdk";

/** A member that may be left out, as JSON has it, or be undefined, which JSON leaves out. */
export function orUndefined<S extends TSchema>(schema: S) {
  return Type.Optional(Type.Unsafe<Static<S> | undefined>(schema));
}
