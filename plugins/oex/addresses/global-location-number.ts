/** Global location numbers (GLN): 13 digits, the last of which checks the others. */

/** The digits of a GLN, which people write with blanks and hyphens; undefined where the text is none. */
export function globalLocationNumber(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, "");
  return /^[0-9]{13}$/.test(digits) && checkDigit(digits.slice(0, 12)) === digits.slice(12)
    ? digits
    : undefined;
}

/** Every second digit counts three times; the check digit makes the sum a multiple of ten. */
function checkDigit(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
