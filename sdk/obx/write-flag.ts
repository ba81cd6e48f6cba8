/** Flags as the files have them. */

/** "1" or "0"; nothing when the flag is not set. */
export function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? "1" : "0";
}
