/** Objects as bytes of a file. */
import { classOf, isDigit, regular, space } from "./characters.js";
import type { GrowingBytes } from "./growing-bytes.js";
import type { UnreadObject } from "./pdf-file.js";
import {
  isKind,
  type Numbering,
  type PdfArray,
  type PdfDictionary,
  PdfFormatError,
  type PdfObject,
  type PdfStream,
} from "./pdf-object.js";

/** The number that an object gets in the new file; 0 if it does not exist. */
export type NewNumber = (number: number) => number;

/** Writes an object; of a stream its dictionary only. */
export function writeObject(object: PdfObject, out: GrowingBytes, newNumber: NewNumber): void {
  if (isKind(object, "dictionary")) writeDictionary(object, out, newNumber);
  else if (isKind(object, "stream")) writeDictionary(object.dictionary, out, newNumber);
  else if (isKind(object, "array")) {
    out.text("[");
    for (const [index, item] of object.items.entries()) {
      if (index > 0) out.byte(0x20);
      writeObject(item, out, newNumber);
    }
    out.text("]");
  } else out.text(simpleText(object, newNumber));
}

function simpleText(
  object: Exclude<PdfObject, PdfArray | PdfDictionary | PdfStream>,
  newNumber: NewNumber,
): string {
  if (typeof object === "number") return numberText(object);
  if (typeof object !== "object" || object === null) return String(object);
  if (object.kind === "name") return nameText(object.name);
  if (object.kind === "string") return stringText(object.bytes);
  return referenceText(newNumber(object.number));
}

function referenceText(number: number): string {
  return number === 0 ? "null" : `${number} 0 R`;
}

function writeDictionary(dictionary: PdfDictionary, out: GrowingBytes, newNumber: NewNumber): void {
  out.text("<<");
  for (const [key, value] of dictionary.entries) {
    out.text(nameText(key));
    const kind = typeof value === "object" && value !== null ? value.kind : undefined;
    if (kind === undefined || kind === "reference") out.byte(0x20);
    writeObject(value, out, newNumber);
  }
  out.text(">>");
}

function numberText(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e15) return String(number);
  return number.toFixed(10).replace(/\.?0+$/, "");
}

function nameText(name: string): string {
  const escaped = /[^!-~]|[#()<>[\]{}/%]/.test(name)
    ? name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (each) => `#${each.charCodeAt(0).toString(16).padStart(2, "0")}`)
    : name;
  return `/${escaped}`;
}

function stringText(bytes: string): string {
  return `(${bytes.replace(/[\\()\r]/g, (each) => (each === "\r" ? "\\r" : `\\${each}`))})`;
}

/**
 * Writes an array or a dictionary that nobody has looked at, byte by byte with other numbers in its references: several
 * times faster than reading and writing its objects. Gives false, and has written nothing, for anything else.
 */
export function copyUnread(object: UnreadObject, out: GrowingBytes, newNumber: NewNumber): boolean {
  const { source, numbering } = object;
  const begun = out.length;
  let at =
    object.header === undefined ? object.position : afterHeader(source, object.position, object.header);
  while (classOf(source[at]) === space && at < source.length) at++;
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
  while (classOf(source[at]) === space && at < source.length) at++;
  if (object.header === undefined || source[at] === 0x65 /* endobj */) return true;
  out.length = begun;
  return false;
}

/** `12 0 ` was just written and an `R` follows: the number becomes that of the new file. */
function renumber(out: GrowingBytes, begun: number, { shift, last }: Numbering, newNumber: NewNumber): void {
  const { bytes } = out;
  let at = out.length;
  const spaces = (): void => {
    while (at > begun && classOf(bytes[at - 1]) === space) at--;
  };
  const digits = (): void => {
    while (at > begun && isDigit(bytes[at - 1])) at--;
  };
  spaces();
  digits();
  spaces();
  const end = at;
  digits();
  if (at === end) throw new PdfFormatError("A reference has no number.");
  let number = 0;
  for (let index = at; index < end; index++) number = number * 10 + (bytes[index] ?? 0) - 0x30;
  out.length = at;
  out.text(referenceText(number > last ? 0 : newNumber(number + shift)));
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
  const head = Buffer.from(
    source.buffer,
    source.byteOffset + position,
    Math.min(40, source.length - position),
  );
  const match = /^\s*(\d+)\s+\d+\s+obj/.exec(head.toString("latin1"));
  if (match === null || Number(match[1]) !== number)
    throw new PdfFormatError(`Object ${number} is not where it should be.`);
  return position + match[0].length;
}
