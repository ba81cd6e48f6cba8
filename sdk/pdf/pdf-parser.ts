import {
  type Numbering,
  ownNumbering,
  PdfFormatError,
  type PdfName,
  type PdfObject,
  pdfArray,
  pdfName,
  pdfReference,
} from "./pdf-object.js";
import { classOf, isDigit, regular, space, textBetween, unescaped, unescapedName } from "./pdf-text.js";

/** Must be a power of two. */
const places = 4096;

const longest = 40;

const known: (PdfName | undefined)[] = new Array(places);

/** Real documents nest arrays and dictionaries less deeply; the limit prevents stack overflows. */
const deepest = 200;

/** Parses objects from bytes, one after the other. Throws `PdfFormatError` for invalid syntax. */
export class PdfParser {
  constructor(
    private readonly bytes: Uint8Array,
    /** The position of the next object. */
    public position: number,
    private readonly numbering: Numbering = ownNumbering,
  ) {}

  /** The next object; for a stream, only its dictionary. */
  object(depth = 0): PdfObject {
    if (depth > deepest) throw this.wrong("objects nest too deeply");
    this.skipSpace();
    const byte = this.bytes[this.position];
    if (byte === 0x2f) return this.name();
    if (byte === 0x3c)
      return this.bytes[this.position + 1] === 0x3c ? this.dictionary(depth) : this.hexString();
    if (byte === 0x5b) return this.array(depth);
    if (byte === 0x28) return this.string();
    if (isDigit(byte) || byte === 0x2d || byte === 0x2b || byte === 0x2e) return this.numberOrReference();
    const word = this.word();
    if (word === "null") return null;
    if (word === "true") return true;
    if (word === "false") return false;
    throw this.wrong(`"${word.slice(0, 20)}" is no object`);
  }

  /** Consumes the keyword if it is next. */
  keyword(word: string): boolean {
    this.skipSpace();
    for (let index = 0; index < word.length; index++)
      if (this.bytes[this.position + index] !== word.charCodeAt(index)) return false;
    if (classOf(this.bytes[this.position + word.length]) === regular) return false;
    this.position += word.length;
    return true;
  }

  /** The next object, which must be a non-negative integer. */
  whole(): number {
    this.skipSpace();
    const number = isDigit(this.bytes[this.position]) ? this.number() : Number.NaN;
    if (!Number.isSafeInteger(number)) throw this.wrong("a whole number is expected");
    return number;
  }

  /**
   * Enters the next dictionary, whose entries `nextKey` reads; false if the next object is not a dictionary.
   */
  enterDictionary(): boolean {
    this.skipSpace();
    if (this.bytes[this.position] !== 0x3c || this.bytes[this.position + 1] !== 0x3c) return false;
    this.position += 2;
    return true;
  }

  /** The key of the next dictionary entry, followed by its value; undefined at the end of the dictionary. */
  nextKey(): string | undefined {
    this.skipSpace();
    const byte = this.bytes[this.position];
    if (byte === 0x2f) return this.name().name;
    if (byte !== 0x3e || this.bytes[this.position + 1] !== 0x3e)
      throw this.wrong("a name is expected in a dictionary");
    this.position += 2;
    return undefined;
  }

  /** Skips white space and comments. */
  skipSpace(): void {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.position];
      if (byte === undefined) return;
      if (byte === 0x25) {
        while (this.position < bytes.length && bytes[this.position] !== 10 && bytes[this.position] !== 13)
          this.position++;
      } else if (classOf(byte) !== space) return;
      else this.position++;
    }
  }

  private dictionary(depth: number): PdfObject {
    const entries = new Map<string, PdfObject>();
    this.position += 2;
    for (let key = this.nextKey(); key !== undefined; key = this.nextKey()) {
      const value = this.object(depth + 1);
      if (value !== null) entries.set(key, value);
    }
    return { kind: "dictionary", entries };
  }

  private array(depth: number): PdfObject {
    this.position++;
    const items: PdfObject[] = [];
    for (;;) {
      this.skipSpace();
      if (this.bytes[this.position] === 0x5d) {
        this.position++;
        return pdfArray(items);
      }
      items.push(this.object(depth + 1));
    }
  }

  private name(): PdfName {
    const start = this.position + 1;
    this.position = this.regularEnd(start);
    return nameBetween(this.bytes, start, this.position);
  }

  private numberOrReference(): PdfObject {
    const number = this.number();
    const { bytes } = this;
    const next = this.position + 1;
    if (
      classOf(bytes[this.position]) !== space ||
      !isDigit(bytes[next]) ||
      number < 0 ||
      !Number.isInteger(number)
    )
      return number;
    let end = next;
    while (isDigit(bytes[end]) && end - next < 6) end++;
    if (classOf(bytes[end]) !== space) return number;
    while (classOf(bytes[end]) === space && end < bytes.length) end++;
    if (bytes[end] !== 0x52 || classOf(bytes[end + 1]) === regular) return number;
    this.position = end + 1;
    const { shift, last } = this.numbering;
    return number > last ? null : pdfReference(number + shift);
  }

  private number(): number {
    const { bytes } = this;
    const start = this.position;
    let value = 0;
    let end = start;
    while (isDigit(bytes[end])) value = value * 10 + (bytes[end++] ?? 0) - 0x30;
    this.position = end;
    if (end > start && classOf(bytes[end]) !== regular) return value;
    const text = this.word(start);
    // Some programs write `--3` and `1.-2`, which viewers read as -3 and 1.
    const [, signs, digits] = /^([-+]*)(\d+(?:\.\d*)?|\.\d+)(?:-[\d.]*)?$/.exec(text) ?? [];
    if (digits === undefined) throw this.wrong(`"${text.slice(0, 20)}" is not a number`);
    return signs?.startsWith("-") ? -Number(digits) : Number(digits);
  }

  private string(): PdfObject {
    const { bytes } = this;
    let open = 1;
    let end = this.position + 1;
    let escaped = false;
    for (; open > 0; end++) {
      const byte = bytes[end];
      if (byte === undefined) throw this.wrong("a string has no end");
      if (byte === 0x5c) {
        escaped = true;
        end++;
      } else if (byte === 0x28) open++;
      else if (byte === 0x29) open--;
    }
    const raw = textBetween(bytes, this.position + 1, end - 1);
    this.position = end;
    return { kind: "string", bytes: escaped || raw.includes("\r") ? unescaped(raw) : raw };
  }

  private hexString(): PdfObject {
    const start = this.position + 1;
    const end = this.bytes.indexOf(0x3e, start);
    if (end < 0) throw this.wrong("a string has no end");
    const digits = textBetween(this.bytes, start, end).replace(/[\0\t\n\f\r ]+/g, "");
    if (!/^[0-9a-f]*$/i.test(digits)) throw this.wrong("a string has invalid digits");
    this.position = end + 1;
    const even = digits.length % 2 === 0 ? digits : `${digits}0`;
    return { kind: "string", bytes: Buffer.from(even, "hex").toString("latin1") };
  }

  private word(from = this.position): string {
    const end = this.regularEnd(from);
    this.position = end;
    return textBetween(this.bytes, from, end);
  }

  private regularEnd(from: number): number {
    let end = from;
    while (classOf(this.bytes[end]) === regular) end++;
    return end;
  }

  private wrong(what: string): PdfFormatError {
    return new PdfFormatError(`At byte ${this.position}: ${what}.`);
  }
}

/** The name between two positions, with escapes (`#20`) resolved. */
function nameBetween(bytes: Uint8Array, start: number, end: number): PdfName {
  if (end - start > longest) return pdfName(unescapedName(textBetween(bytes, start, end)));
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  const place = hash & (places - 1);
  const found = known[place];
  if (found !== undefined && isSame(found.name, bytes, start, end)) return found;
  const text = textBetween(bytes, start, end);
  if (text.includes("#")) return pdfName(unescapedName(text));
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
