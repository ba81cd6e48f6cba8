import { type Static, type TSchema, Type } from "@slipway/sdk";

/** An optional member that code may also set to undefined, because JSON omits it then. */
export function orUndefined<S extends TSchema>(schema: S) {
  return Type.Optional(Type.Unsafe<Static<S> | undefined>(schema));
}
