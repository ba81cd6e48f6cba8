/** Parses the operands of one operator of a content stream. */
import { textBetween, unescapedName } from "../pdf-text.js";
import { endOfHexadecimal, endOfRegular, endOfString, sign, skipBlanks } from "./content-bytes.js";

export interface ContentName {
  name: string;
}
/** Strings stay bytes, because their meaning depends on the font. */
export type ContentOperand =
  | number
  | boolean
  | null
  | ContentName
  | Uint8Array
  | ContentOperand[]
  | ContentDictionary;
export type ContentDictionary = Map<string, ContentOperand>;

/** Parses the values between two positions of a content stream. */
export function contentOperands(bytes: Uint8Array, start: number, end: number): ContentOperand[] {
  const levels: ContentOperand[][] = [[]];
  let at = skipBlanks(bytes, start);
  const add = (value: ContentOperand): void => {
    levels.at(-1)?.push(value);
  };
  const close = (make: (values: ContentOperand[]) => ContentOperand): void => {
    if (levels.length > 1) add(make(levels.pop() ?? []));
  };
  while (at < end) {
    const byte = bytes[at];
    let next = at + 1;
    if (byte === sign.open) {
      next = endOfString(bytes, at);
      add(literalString(bytes.subarray(at + 1, next - 1)));
    } else if (byte === sign.less && bytes[at + 1] === sign.less) {
      next = at + 2;
      levels.push([]);
    } else if (byte === sign.greater && bytes[at + 1] === sign.greater) {
      next = at + 2;
      close(dictionaryOf);
    } else if (byte === sign.less) {
      next = endOfHexadecimal(bytes, at);
      add(hexadecimalString(bytes, at + 1, next - 1));
    } else if (byte === sign.arrayOpen) levels.push([]);
    else if (byte === sign.arrayClose) close((values) => values);
    else if (byte === sign.slash) {
      next = endOfRegular(bytes, at + 1);
      add({ name: unescapedName(textBetween(bytes, at + 1, next)) });
    } else {
      next = Math.max(endOfRegular(bytes, at), at + 1);
      add(keyword(textBetween(bytes, at, next)));
    }
    at = skipBlanks(bytes, next);
  }
  while (levels.length > 1) close((values) => values);
  return levels[0] ?? [];
}

/** The strings between two positions of a content stream, including those in arrays, without other values. */
export function contentStrings(bytes: Uint8Array, start: number, end: number): Uint8Array[] {
  const strings: Uint8Array[] = [];
  for (let at = start; at < end; ) {
    const byte = bytes[at];
    if (byte === sign.open) {
      const next = endOfString(bytes, at);
      strings.push(literalString(bytes.subarray(at + 1, next - 1)));
      at = next;
    } else if (byte === sign.less && bytes[at + 1] !== sign.less) {
      const next = endOfHexadecimal(bytes, at);
      strings.push(hexadecimalString(bytes, at + 1, next - 1));
      at = next;
    } else if (byte === sign.percent) at = skipBlanks(bytes, at);
    else at += byte === sign.less ? 2 : 1;
  }
  return strings;
}

/** The name in front of all other operands; undefined if something else is there. */
export function leadingName(bytes: Uint8Array, start: number): string | undefined {
  if (bytes[start] !== sign.slash) return undefined;
  return unescapedName(textBetween(bytes, start + 1, endOfRegular(bytes, start + 1)));
}

/** The name in an operand; undefined for other types. */
export function operandName(operand: ContentOperand | undefined): string | undefined {
  return typeof operand === "object" && operand !== null && "name" in operand ? operand.name : undefined;
}

function dictionaryOf(values: ContentOperand[]): ContentDictionary {
  const dictionary: ContentDictionary = new Map();
  for (let index = 0; index + 1 < values.length; index += 2) {
    const key = operandName(values[index]);
    if (key !== undefined) dictionary.set(key, values[index + 1] ?? null);
  }
  return dictionary;
}

function keyword(text: string): ContentOperand {
  if (text === "true") return true;
  if (text === "false") return false;
  const number = Number.parseFloat(text);
  return Number.isNaN(number) ? null : number;
}

/** Hexadecimal digits by character code; undefined for all other bytes. */
const digits: (number | undefined)[] = [];
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Parses the bytes between two positions; a missing last digit counts as 0. */
function hexadecimalString(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const string = new Uint8Array((end - start + 1) >> 1);
  let count = 0;
  for (let at = start; at < end; at++) {
    const digit = digits[bytes[at] ?? 0];
    if (digit === undefined) continue;
    if (count % 2 === 0) string[count >> 1] = digit << 4;
    else string[count >> 1] = (string[count >> 1] ?? 0) | digit;
    count++;
  }
  const length = (count + 1) >> 1;
  return length === string.length ? string : string.subarray(0, length);
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function literalString(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(sign.backslash)) return bytes;
  const text = textBetween(bytes, 0, bytes.length).replace(
    /\\(\r\n|[0-7]{1,3}|.)/gs,
    (_, escaped: string) => {
      if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
      if (/^[\r\n]/.test(escaped)) return "";
      return escapes[escaped] ?? escaped;
    },
  );
  return Buffer.from(text, "latin1");
}
