import type { OptionField } from "@slipway/sdk";

/** A value as a template sees it. */
export type OptionValue = string | number | boolean | null;

export type ReadOption = { ok: true; value: OptionValue } | { ok: false; expected: string };

/**
 * Reads a value for an option. Clients store and send values of choice lists as texts, so `"20"` serves as 20,
 * `"true"` as true, and 20 as "20" where the choices are texts. `null` means the template's default.
 */
export function readOptionValue(field: OptionField, value: unknown): ReadOption {
  if (value === null) return { ok: true, value: defaultValue(field) };
  const typed = typedValue(field, value);
  if (typed === undefined) return { ok: false, expected: expectation(field) };
  const choices = field.options ?? [];
  const chosen = choices.length === 0 || choices.some((choice) => choice.key === String(typed));
  return chosen ? { ok: true, value: typed } : { ok: false, expected: expectation(field) };
}

/** What a template sees without a value; null where the template has no default. */
export function defaultValue(field: OptionField): OptionValue {
  return field.default === undefined || field.default === null
    ? null
    : (typedValue(field, field.default) ?? field.default);
}

function typedValue(field: OptionField, value: unknown): OptionValue | undefined {
  switch (field.type) {
    case "boolean":
      return booleanValue(value);
    case "int":
      return integerValue(value);
    case "string":
      if (typeof value === "number" && field.options !== undefined) return String(value);
      return typeof value === "string" ? value : undefined;
  }
}

function booleanValue(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
}

function integerValue(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

function expectation(field: OptionField): string {
  const choices = (field.options ?? []).map((choice) => JSON.stringify(choice.key)).join(", ");
  if (choices !== "") return `one of ${choices}`;
  return field.type === "boolean" ? "a boolean" : field.type === "int" ? "an integer" : "a string";
}
