import type { TSchema } from "../../schema/schema.js";
import { type Checked, Validator } from "../../schema/validation.js";
import type { Violation } from "../../schema/violation.js";
import { nullMembersRemoved } from "../request/null-members.js";

/**
 * Checks the configuration of a plugin. Changes the given value: removes members that are null where their schema does
 * not allow null, and fills in the schema's defaults. Where the schema has secrets, violations show no values.
 */
export function checkedConfig(schema: TSchema, given: unknown): Checked<unknown> {
  nullMembersRemoved(schema)(given);
  const result = new Validator().compile(schema, "config")(given);
  if (result.ok) return result;
  // A secret may be anywhere: under a misspelled name, or in an object that is entirely wrong.
  const isSecret = containsSecrets(schema);
  const violations = result.violations.map(
    (each): Violation => (isSecret && each.received !== "nothing" ? { ...each, received: "(hidden)" } : each),
  );
  return { ok: false, violations };
}

/** Whether a schema marks a field with `secret: true`. */
export function containsSecrets(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Reflect.get(schema, "secret") === true || Object.values(schema).some(containsSecrets);
}
