/** The keys of assets that are entries of an OBK and no pictures: `obk:{name}`. */
export const otherEntryScheme = "obk:";

/** Whether an asset was an entry, and is no picture. */
export function isOtherEntry(key: string): boolean {
  return key.startsWith(otherEntryScheme);
}
