/** Global location numbers (GLN): 13 digits, the last a check digit. */

/** The digits of a GLN, without blanks and hyphens; undefined if the text is not a valid GLN. */
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
