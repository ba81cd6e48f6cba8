/** Classes of bytes in the syntax of PDF. */

export const regular = 0;
export const space = 1;
export const delimiter = 2;

const classes = new Uint8Array(256);
for (const each of [0, 9, 10, 12, 13, 32]) classes[each] = space;
for (const each of "()<>[]{}/%") classes[each.charCodeAt(0)] = delimiter;

/** `regular`, `space` or `delimiter`; the end of the bytes counts as space. */
export function classOf(byte: number | undefined): number {
  return byte === undefined ? space : (classes[byte] ?? space);
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
