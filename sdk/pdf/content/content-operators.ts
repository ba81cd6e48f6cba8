import { classOf, isDigit, regular, space } from "../pdf-text.js";
import { endOfHexadecimal, endOfRegular, endOfString, sign, skipBlanks } from "./content-bytes.js";

/** Number of bytes after `EI` that must look like operators; otherwise it is part of the image data. */
const lookAhead = 16;

/** The type of token that starts with a byte; 0 for an operator. */
const beginnings = new Uint8Array(256);

const numberBegins = 1;
const delimiterBegins = 2;
const blankBegins = 3;
for (let byte = 0; byte < beginnings.length; byte++) {
  if (classOf(byte) === space) beginnings[byte] = blankBegins;
  else if (classOf(byte) !== regular) beginnings[byte] = delimiterBegins;
  else if (isDigit(byte) || byte === sign.plus || byte === sign.minus || byte === sign.point)
    beginnings[byte] = numberBegins;
}

/** The code that `ContentOperators` uses for an operator of up to three characters. */
export function operatorCode(operator: string): number {
  let code = 0;
  for (let index = 0; index < operator.length; index++) code = code * 256 + operator.charCodeAt(index);
  return code;
}

const inlineImage = operatorCode("BI");

/**
 * Names of one or two characters by their bytes: they recur thousands of times, so their strings are cached.
 */
const shortNames: (string | undefined)[] = new Array(0x10000);

/**
 * Iterates over the operators of a decoded content stream, one per `next()`, without creating objects for
 * operands: callers parse them from `operands` to `start` if needed. An inline image counts as one operator,
 * `BI`. Invalid tokens, such as an extra bracket, are skipped.
 */
export class ContentOperators {
  /** The code of the current operator, see `operatorCode`; 0 for one of more than three characters. */
  code = 0;
  /** The start of its operands, its own start, and the position after it. */
  operands = 0;
  start = 0;
  end = 0;
  private nameEnd = 0;

  constructor(readonly bytes: Uint8Array) {}

  get operator(): string {
    const { bytes, code, start, nameEnd } = this;
    if (nameEnd - start > 2) return latin(bytes, start, nameEnd);
    const name = shortNames[code] ?? latin(bytes, start, nameEnd);
    shortNames[code] = name;
    return name;
  }

  /** Moves to the next operator; false at the end of the stream. */
  next(): boolean {
    const { bytes } = this;
    const { length } = bytes;
    let at = skipBlanks(bytes, this.end);
    this.operands = at;
    while (at < length) {
      const begins = beginnings[bytes[at] ?? 0];
      if (begins === blankBegins || begins === numberBegins) at++;
      else if (begins === delimiterBegins) at = endOfDelimited(bytes, at);
      else if (at > this.operands && beginnings[bytes[at - 1] ?? 0] === numberBegins)
        at = endOfRegular(bytes, at); // a token that starts like a number is not an operator
      else {
        const end = endOfRegular(bytes, at + 1);
        if (end - at < 4 || !isValue(bytes, at, end)) {
          this.found(at, end);
          return true;
        }
        at = end;
      }
    }
    this.end = length;
    return false;
  }

  private found(start: number, end: number): void {
    const { bytes } = this;
    let code = 0;
    if (end - start < 4) for (let at = start; at < end; at++) code = code * 256 + (bytes[at] ?? 0);
    this.code = code;
    this.start = start;
    this.nameEnd = end;
    this.end = code === inlineImage ? endOfInlineImage(bytes, end) : end;
  }
}

function isValue(bytes: Uint8Array, start: number, end: number): boolean {
  const name = end - start > 5 ? "" : latin(bytes, start, end);
  return name === "true" || name === "false" || name === "null";
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

function endOfDelimited(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case sign.open:
      return endOfString(bytes, at);
    case sign.less:
      return bytes[at + 1] === sign.less ? at + 2 : endOfHexadecimal(bytes, at);
    case sign.slash:
      return endOfRegular(bytes, at + 1);
    case sign.percent:
      return skipBlanks(bytes, at);
    default:
      return at + 1;
  }
}

/** The position after `EI` of the inline image whose `BI` ends at `from` (ISO 32000-1, 8.9.7). */
function endOfInlineImage(bytes: Uint8Array, from: number): number {
  const data = startOfInlineData(bytes, from);
  for (let at = data; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49) continue;
    const isApart = classOf(bytes[at - 1]) === space && classOf(bytes[at + 2]) !== regular;
    if (isApart && looksLikeOperators(bytes, at + 2)) return at + 2;
  }
  return bytes.length;
}

/** The position after `ID` and the single white-space byte that follows; `from`: after `BI`. */
export function startOfInlineData(bytes: Uint8Array, from: number): number {
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
