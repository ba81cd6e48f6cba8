import { classOf, regular, space } from "../finish/characters.js";
import { endOfRegular, skipBlanks } from "./content-bytes.js";

/** How far behind `EI` the bytes have to look like operators, so that it is no part of a picture. */
const lookAhead = 16;

/** Behind the `EI` of the inline image whose `BI` ends at `from` (ISO 32000-1, 8.9.7). */
export function endOfInlineImage(bytes: Uint8Array, from: number): number {
  const data = startOfData(bytes, from);
  for (let at = data; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49) continue;
    const isApart = classOf(bytes[at - 1]) === space && classOf(bytes[at + 2]) !== regular;
    if (isApart && looksLikeOperators(bytes, at + 2)) return at + 2;
  }
  return bytes.length;
}

/** Behind `ID` and the one blank that follows it. */
function startOfData(bytes: Uint8Array, from: number): number {
  let at = skipBlanks(bytes, from);
  while (at < bytes.length) {
    const end = Math.max(endOfRegular(bytes, at), at + 1);
    if (end - at === 2 && bytes[at] === 0x49 && bytes[at + 1] === 0x44) return end + 1;
    at = skipBlanks(bytes, end);
  }
  return at;
}

function looksLikeOperators(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < Math.min(from + lookAhead, bytes.length); at++) {
    const byte = bytes[at] ?? 0;
    if (classOf(byte) !== space && (byte < 0x20 || byte > 0x7e)) return false;
  }
  return true;
}
