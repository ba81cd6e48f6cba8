/** The UUID of a number from 0 to 999,999,999,999: `id(7)` is "00000000-0000-4000-8000-000000000007". They sort as their numbers do. */
export function id(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0 || number > 999_999_999_999)
    throw new RangeError(`id: expected a whole number from 0 to 999999999999, received ${number}`);
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
