import type { Static, TSchema } from "../../schema/schema.js";
import { type Check, Validator } from "../../schema/validation.js";

/** Checks of the schemas that a plugin passes to the host's methods, each compiled once. */
export class SchemaChecks {
  private readonly validator = new Validator();
  private readonly checks = new WeakMap<TSchema, Check<unknown>>();

  of<S extends TSchema>(schema: S): Check<Static<S>> {
    const known = this.checks.get(schema);
    // Compiled from this very schema below.
    if (known !== undefined) return known as Check<Static<S>>;
    const check = this.validator.compile(schema, "value");
    this.checks.set(schema, check);
    return check;
  }
}
