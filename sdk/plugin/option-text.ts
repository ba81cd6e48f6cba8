/** Values of options that are given out as texts: numbers, dates, texts of several lines. */
import type { OptionField } from "./template.js";

/** The most digits after the point of a number. */
export const mostDecimals = 10;

/** Of numbers below 10^12, with at most ten decimals. */
const decimalPattern = /^-?\d{1,12}(?:\.\d{1,10})?$/;

/** What restricts the values of an option. */
export type OptionRules = Pick<OptionField, "format" | "minimum" | "maximum" | "decimals">;

/**
 * The text of an option with a `format`: `2.5` and `"2.5"` are "2.5", `"2024-07-10"` is itself. Undefined for what the
 * field does not take.
 */
export function optionText(field: OptionRules, value: unknown): string | undefined {
  const text = typeof value === "number" ? numberText(value) : value;
  if (typeof text !== "string") return undefined;
  switch (field.format) {
    case "number":
      return isAllowedNumber(field, text.trim()) ? text.trim() : undefined;
    case "date":
      return isDate(text.trim()) ? text.trim() : undefined;
    default:
      return typeof value === "string" ? value : undefined;
  }
}

/** Whether a number is within the limits of an option. */
export function isWithinLimits({ minimum, maximum }: OptionRules, value: number): boolean {
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
}

/** The valid values of an option, for messages: `a number from 0 to 100 with at most 2 decimals`. */
export function expectedOption(field: OptionRules & Pick<OptionField, "type">): string {
  if (field.type === "boolean") return "a boolean";
  if (field.type === "int") return `an integer${limitsOf(field)}`;
  switch (field.format) {
    case "number":
      return `a number${limitsOf(field)}${decimalsOf(field)}`;
    case "date":
      return 'a date such as "2024-07-10"';
    default:
      return "a string";
  }
}

function limitsOf({ minimum, maximum }: OptionRules): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function decimalsOf({ decimals }: OptionRules): string {
  if (decimals === undefined) return "";
  return decimals === 0
    ? " without decimals"
    : ` with at most ${decimals} decimal${decimals === 1 ? "" : "s"}`;
}

function isAllowedNumber(field: OptionRules, text: string): boolean {
  if (!decimalPattern.test(text)) return false;
  const digits = text.split(".")[1]?.length ?? 0;
  return digits <= (field.decimals ?? mostDecimals) && isWithinLimits(field, Number(text));
}

/** Decimal digits without an exponent; undefined for a number that they cannot express. */
function numberText(value: number): string | undefined {
  const text = String(value);
  if (!text.includes("e")) return text;
  const digits = value.toFixed(mostDecimals).replace(/0{1,10}$/, "");
  return Number(digits) === value ? digits : undefined;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
