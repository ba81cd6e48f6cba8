/** Objects as bytes of a file. */
import type { PdfDictionary, PdfObject } from "./pdf-object.js";
import { classOf, regular } from "./pdf-text.js";

/** The number that an object gets in the new file; 0 if it does not exist. */
export type NewNumber = (number: number) => number;

/** Writes objects; of a stream only its dictionary. Allocates nothing, because there may be very many objects. */
export class ObjectWriter {
  constructor(
    readonly out: GrowingBytes,
    private readonly newNumber: NewNumber,
  ) {}

  write(object: PdfObject): void {
    if (typeof object === "number") writeNumber(object, this.out);
    else if (typeof object !== "object" || object === null) this.out.text(String(object));
    else if (object.kind === "reference") writeReference(this.newNumber(object.number), this.out);
    else if (object.kind === "name") writeName(object.name, this.out);
    else if (object.kind === "string") writeString(object.bytes, this.out);
    else if (object.kind === "array") this.array(object.items);
    else this.dictionary(object.kind === "stream" ? object.dictionary : object);
  }

  private array(items: PdfObject[]): void {
    this.out.byte(0x5b);
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.out.byte(0x20);
      this.write(items[index] ?? null);
    }
    this.out.byte(0x5d);
  }

  private dictionary({ entries }: PdfDictionary): void {
    this.out.text("<<");
    entries.forEach(this.entry);
    this.out.text(">>");
  }

  private readonly entry = (value: PdfObject, key: string): void => {
    writeName(key, this.out);
    const kind = typeof value === "object" && value !== null ? value.kind : undefined;
    if (kind === undefined || kind === "reference") this.out.byte(0x20);
    this.write(value);
  };
}

/** `number`: in the new file. */
export function writeReference(number: number, out: GrowingBytes): void {
  if (number === 0) out.text("null");
  else {
    out.whole(number);
    out.text(" 0 R");
  }
}

/** PDF has no exponents, so larger numbers are clamped to the safe integers. */
function writeNumber(number: number, out: GrowingBytes): void {
  const bounded = Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  if (!Number.isInteger(bounded)) out.text(/^-?\d+(?:\.\d*[1-9])?/.exec(bounded.toFixed(10))?.[0] ?? "0");
  else if (bounded < 0) out.text(String(bounded));
  else out.whole(bounded);
}

function writeName(name: string, out: GrowingBytes): void {
  out.byte(0x2f);
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code > 0x20 && code < 0x7f && code !== 0x23 && classOf(code) === regular) out.byte(code);
    else out.text(`#${code.toString(16).padStart(2, "0")}`);
  }
}

function writeString(bytes: string, out: GrowingBytes): void {
  out.byte(0x28);
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes.charCodeAt(index);
    if (code === 0x28 || code === 0x29 || code === 0x5c) out.byte(0x5c);
    if (code === 0x0d) out.text("\\r");
    else out.byte(code);
  }
  out.byte(0x29);
}

const zero = 0x30;

/** A buffer that grows. */
export class GrowingBytes {
  /** Valid up to `length`. */
  bytes: Buffer;
  length = 0;

  constructor(room: number) {
    this.bytes = Buffer.allocUnsafe(room);
  }

  /** One character per byte. */
  text(text: string): void {
    this.makeRoom(text.length);
    const { bytes } = this;
    let at = this.length;
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index);
    this.length = at;
  }

  byte(byte: number): void {
    if (this.length === this.bytes.length) this.makeRoom(1);
    this.bytes[this.length++] = byte;
  }

  /** Writes the digits of a safe integer of at least 0 without creating a string. */
  whole(number: number): void {
    let places = 1;
    for (let limit = 10; limit <= number; limit *= 10) places++;
    this.makeRoom(places);
    const { bytes, length } = this;
    let left = number;
    for (let at = length + places - 1; at >= length; at--) {
      const rest = Math.floor(left / 10);
      bytes[at] = zero + left - rest * 10;
      left = rest;
    }
    this.length = length + places;
  }

  /** Returns a copy of the bytes added so far, and empties the buffer. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  private makeRoom(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
