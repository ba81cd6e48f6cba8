/** Names recur by the ten thousand, so each is made once and found by its bytes. */
import { type PdfName, pdfName } from "./pdf-object.js";
import { textBetween } from "./string-syntax.js";

/** A power of two. */
const places = 4096;
const longest = 40;
const known: (PdfName | undefined)[] = new Array(places);

/** The name whose bytes, with their escapes (`#20`), stand between two places. */
export function nameBetween(bytes: Uint8Array, start: number, end: number): PdfName {
  if (end - start > longest) return nameOf(textBetween(bytes, start, end));
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  const place = hash & (places - 1);
  const found = known[place];
  if (found !== undefined && isSame(found.name, bytes, start, end)) return found;
  const text = textBetween(bytes, start, end);
  if (text.includes("#")) return nameOf(text);
  const made = pdfName(text);
  known[place] = made;
  return made;
}

function isSame(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let index = 0; index < name.length; index++)
    if (name.charCodeAt(index) !== bytes[start + index]) return false;
  return true;
}

function nameOf(text: string): PdfName {
  return pdfName(
    text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );
}
