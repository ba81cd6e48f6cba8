import { classOf, isDigit, regular, space } from "../finisher/characters.js";
import { endOfHexadecimal, endOfRegular, endOfString, sign, skipBlanks } from "./content-bytes.js";
import { endOfInlineImage } from "./inline-image.js";

/** What a token is that begins with a byte; 0 for an operator. */
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

/** Names of one or two characters by their bytes: they recur by the thousand, so each is made once. */
const shortNames: (string | undefined)[] = new Array(0x10000);

/**
 * Walks the operators of a decoded content stream, one per `next()`, and makes no objects of operands: whoever wants
 * them reads the bytes from `operands` to `start`. An inline image counts as one operator, `BI`. What fits nowhere, such
 * as a bracket too many, is passed over.
 */
export class ContentOperators {
  /** Name of the current operator. */
  operator = "";
  /** Where its operands begin, where it begins itself, and the first byte behind it. */
  operands = 0;
  start = 0;
  end = 0;
  constructor(readonly bytes: Uint8Array) {}

  /** False at the end of the stream. */
  next(): boolean {
    const { bytes } = this;
    let at = skipBlanks(bytes, this.end);
    this.operands = at;
    while (at < bytes.length) {
      const begins = beginnings[bytes[at] ?? 0];
      if (begins === blankBegins) at++;
      else if (begins === numberBegins) at = endOfRegular(bytes, at + 1);
      else if (begins === delimiterBegins) at = endOfDelimited(bytes, at);
      else {
        const end = endOfRegular(bytes, at + 1);
        const name = this.nameAt(at, end);
        if (name !== "true" && name !== "false" && name !== "null") {
          this.operator = name;
          this.start = at;
          this.end = name === "BI" ? endOfInlineImage(bytes, end) : end;
          return true;
        }
        at = end;
      }
    }
    this.end = bytes.length;
    return false;
  }

  private nameAt(start: number, end: number): string {
    const { bytes } = this;
    if (end - start > 2) return latin(bytes, start, end);
    const code = (bytes[start] ?? 0) * 256 + (end - start === 2 ? (bytes[start + 1] ?? 0) : 0);
    const known = shortNames[code];
    if (known !== undefined) return known;
    const name = latin(bytes, start, end);
    shortNames[code] = name;
    return name;
  }
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
