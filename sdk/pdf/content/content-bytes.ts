/** Lexical rules of PDF (ISO 32000-1, 7.2 and 7.3) for content streams. */

import { classOf, regular, space } from "../pdf-text.js";

export const sign = {
  lineFeed: 10,
  return: 13,
  percent: 0x25,
  plus: 0x2b,
  minus: 0x2d,
  point: 0x2e,
  open: 0x28,
  close: 0x29,
  slash: 0x2f,
  less: 0x3c,
  greater: 0x3e,
  arrayOpen: 0x5b,
  backslash: 0x5c,
  arrayClose: 0x5d,
} as const;

/** The position of the next byte outside white space and comments. */
export function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === sign.percent) {
      while (at + 1 < bytes.length && bytes[at + 1] !== sign.lineFeed && bytes[at + 1] !== sign.return) at++;
    } else if (classOf(byte) !== space) break;
  }
  return at;
}

/** The end of the name, number, keyword or operator that starts at `from`. */
export function endOfRegular(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && classOf(bytes[at]) === regular) at++;
  return at;
}

/** The position after the string that starts at `from`. */
export function endOfString(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === sign.backslash) at++;
    else if (byte === sign.open) depth++;
    else if (byte === sign.close && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** The position after the hexadecimal string that starts at `from`. */
export function endOfHexadecimal(bytes: Uint8Array, from: number): number {
  // A loop is faster than `indexOf`: most strings have one or two characters.
  for (let at = from; at < bytes.length; at++) if (bytes[at] === sign.greater) return at + 1;
  return bytes.length;
}
