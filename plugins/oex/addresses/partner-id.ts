import type { PartnerId } from "../document/frames.js";
import type { FieldRepairs, GivenValue } from "../repair/repairs.js";
import { oneLine } from "../repair/text-lines.js";

const longestId = 20;

/**
 * A partner id: `GLN` if it is a valid one, else `IIS`, an id assigned by the sender (OEX reference, section 19). An id
 * that is too long is left out, because a truncated one would be a different id.
 */
export function partnerId(field: string, value: GivenValue, repairs: FieldRepairs): PartnerId | undefined {
  const gln = globalLocationNumber(value ?? "");
  if (gln !== undefined) return { type: "GLN", value: gln };
  if ([...oneLine(value ?? "", Number.POSITIVE_INFINITY)].length > longestId) {
    repairs.report(field, value ?? "", `left out: longer than ${longestId} characters`);
    return undefined;
  }
  const id = repairs.line(field, value);
  return id === undefined ? undefined : { type: "IIS", value: id };
}

/**
 * Global location numbers (GLN): 13 digits, the last a check digit. The digits of a GLN, without blanks and hyphens;
 * undefined if the text is not a valid GLN.
 */
export function globalLocationNumber(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, "");
  return /^[0-9]{13}$/.test(digits) && checkDigit(digits.slice(0, 12)) === digits.slice(12)
    ? digits
    : undefined;
}

/** Every second digit has weight three; the check digit makes the sum a multiple of ten. */
function checkDigit(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
