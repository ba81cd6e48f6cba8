/** Copies objects that were never parsed, byte by byte. */

import {
  classOf,
  type GrowingBytes,
  isDigit,
  type NewNumber,
  type Numbering,
  PdfFormatError,
  regular,
  space,
  type UnreadObject,
  writeReference,
} from "@slipway/sdk/runtime/pdf";

/**
 * Writes an array or a dictionary that was never parsed, byte by byte with new numbers in its references: several times
 * faster than parsing and writing its objects. Gives false, and has written nothing, for anything else.
 */
export function copyUnread(object: UnreadObject, out: GrowingBytes, newNumber: NewNumber): boolean {
  const { source, numbering } = object;
  const begun = out.length;
  let at =
    object.header === undefined ? object.position : afterHeader(source, object.position, object.header);
  at = afterBlanks(source, at);
  if (source[at] !== 0x5b && (source[at] !== 0x3c || source[at + 1] !== 0x3c)) return false;
  let depth = 0;
  do {
    const byte = source[at];
    if (byte === undefined) throw new PdfFormatError("An object has no end.");
    if (byte === 0x28) {
      at = copyString(source, at, out);
      continue;
    }
    if (byte === 0x25) {
      out.length = begun;
      return false;
    }
    if (byte === 0x52 && classOf(source[at - 1]) === space && classOf(source[at + 1]) !== regular)
      renumber(out, begun, numbering, newNumber);
    else out.byte(byte);
    at++;
    if (byte === 0x5b) depth++;
    else if (byte === 0x5d) depth--;
    else if ((byte === 0x3c || byte === 0x3e) && source[at] === byte) {
      out.byte(byte);
      at++;
      depth += byte === 0x3c ? 1 : -1;
    } else if (byte === 0x3c) at = copyUntil(0x3e, source, at, out);
  } while (depth > 0);
  at = afterBlanks(source, at);
  if (object.header === undefined || source[at] === 0x65 /* endobj */) return true;
  out.length = begun;
  return false;
}

/** `12 0 ` was just written and an `R` follows: the number becomes that of the new file. */
function renumber(out: GrowingBytes, begun: number, { shift, last }: Numbering, newNumber: NewNumber): void {
  const { bytes } = out;
  let end = beforeBlanks(bytes, out.length, begun);
  end = beforeBlanks(bytes, beforeDigits(bytes, end, begun), begun);
  const start = beforeDigits(bytes, end, begun);
  if (start === end) throw new PdfFormatError("A reference has no number.");
  const number = wholeBetween(bytes, start, end);
  out.length = start;
  writeReference(number > last ? 0 : newNumber(number + shift), out);
}

function copyString(source: Uint8Array, from: number, out: GrowingBytes): number {
  let at = from;
  let open = 0;
  do {
    const byte = source[at++];
    if (byte === undefined) throw new PdfFormatError("A string has no end.");
    out.byte(byte);
    if (byte === 0x28) open++;
    else if (byte === 0x29) open--;
    else if (byte === 0x5c) out.byte(source[at++] ?? 0x20);
  } while (open > 0);
  return at;
}

function copyUntil(last: number, source: Uint8Array, from: number, out: GrowingBytes): number {
  for (let at = from; at < source.length; ) {
    const byte = source[at++] ?? last;
    out.byte(byte);
    if (byte === last) return at;
  }
  throw new PdfFormatError("A string has no end.");
}

/** Past `12 0 obj`. */
function afterHeader(source: Uint8Array, position: number, number: number): number {
  const start = afterBlanks(source, position);
  const end = afterDigits(source, start);
  const generation = afterBlanks(source, end);
  const keyword = afterBlanks(source, afterDigits(source, generation));
  const isObject =
    source[keyword] === 0x6f && source[keyword + 1] === 0x62 && source[keyword + 2] === 0x6a; /* obj */
  const isWhole = end > start && generation > end && keyword > generation && isObject;
  if (!isWhole || wholeBetween(source, start, end) !== number)
    throw new PdfFormatError(`Object ${number} is not where it should be.`);
  return keyword + 3;
}

function wholeBetween(bytes: Uint8Array, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + (bytes[at] ?? 0) - 0x30;
  return number;
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && classOf(bytes[at]) === space) at++;
  return at;
}

function afterDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at;
}

function beforeBlanks(bytes: Uint8Array, from: number, least: number): number {
  let at = from;
  while (at > least && classOf(bytes[at - 1]) === space) at--;
  return at;
}

function beforeDigits(bytes: Uint8Array, from: number, least: number): number {
  let at = from;
  while (at > least && isDigit(bytes[at - 1])) at--;
  return at;
}
