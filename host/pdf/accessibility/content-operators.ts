import { classOf, regular } from "../finisher/characters.js";
import { endOfHexadecimal, endOfRegular, endOfString, sign, skipBlanks } from "./content-bytes.js";
import { endOfInlineImage } from "./inline-image.js";

/** Operators have at most three characters; only those are worth keeping. */
const longestOperator = 3;

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
  private readonly names = new Map<number, string>();

  constructor(readonly bytes: Uint8Array) {}

  /** False at the end of the stream. */
  next(): boolean {
    const { bytes } = this;
    let at = skipBlanks(bytes, this.end);
    this.operands = at;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      if (isOperatorStart(byte)) {
        const end = endOfRegular(bytes, at);
        const name = this.nameAt(at, end);
        if (name !== "true" && name !== "false" && name !== "null") {
          this.operator = name;
          this.start = at;
          this.end = name === "BI" ? endOfInlineImage(bytes, end) : end;
          return true;
        }
        at = end;
      } else at = endOfOperand(bytes, at);
      at = skipBlanks(bytes, at);
    }
    this.end = bytes.length;
    return false;
  }

  /** Names recur thousands of times, so each is made once. */
  private nameAt(start: number, end: number): string {
    const { bytes } = this;
    if (end - start > longestOperator) return Buffer.from(bytes.subarray(start, end)).toString("latin1");
    let code = 0;
    for (let at = start; at < end; at++) code = code * 256 + (bytes[at] ?? 0);
    let name = this.names.get(code);
    if (name === undefined) {
      name = String.fromCharCode(...bytes.subarray(start, end));
      this.names.set(code, name);
    }
    return name;
  }
}

/** Everything regular that is not the beginning of a number. */
function isOperatorStart(byte: number): boolean {
  if (classOf(byte) !== regular) return false;
  const isNumber = (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
  return !isNumber;
}

function endOfOperand(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case sign.open:
      return endOfString(bytes, at);
    case sign.less:
      return bytes[at + 1] === sign.less ? at + 2 : endOfHexadecimal(bytes, at);
    case sign.slash:
      return endOfRegular(bytes, at + 1);
    default:
      return classOf(bytes[at]) === regular ? endOfRegular(bytes, at) : at + 1;
  }
}
