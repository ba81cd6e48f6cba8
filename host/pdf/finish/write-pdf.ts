import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import {
  GrowingBytes,
  isKind,
  ObjectWriter,
  type PdfFile,
  PdfFormatError,
  type PdfObject,
  type PdfStream,
  packedStream,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfReference,
} from "@slipway/sdk/runtime/pdf";
import { copyUnread } from "./unread-copy.js";

const deflated = promisify(deflate);

/** About this many bytes of objects are packed together. */
const packBytes = 128 * 1024;
/** The cross-reference stream has two bytes for the place of an object among those packed with it. */
const mostPacked = 65_535;

/** Of an object outside of object streams. */
const noPack = -1;

/** Each takes a quarter of a megabyte while it is packed, and its content. */
const mostAtOnce = 16;

/** Most streams are packed into one piece of this size. */
const pieceBytes = 32 * 1024;

/**
 * The bytes of the file: streams as they are or packed, all other objects packed, in the order in which they are reached
 * from the trailer; what is not reached is left out. All objects have been read when the call returns; packing (`level` of
 * zlib for objects) continues in Node's own threads. Until then nothing may change; packed streams stay packed in the file.
 */
export function writePdf(file: PdfFile, level = 6): Promise<Uint8Array> {
  return new Writing(file, level).bytes();
}

class Writing {
  /** By old number; its place in the order of writing, which is the new number. */
  private readonly numbers: (number | undefined)[] = [];
  /** Old numbers in their new order. */
  private readonly order: number[] = [0];
  /** By new number: the object stream that the object is in. */
  private readonly packOf: number[] = [noPack];
  /** By new number: its place in the object stream, or else in the file. */
  private readonly placeOf: number[] = [0];
  private readonly parts: Uint8Array[] = [];
  private readonly hash = createHash("sha256");
  private offset = 0;
  /** The objects of the next object stream, and its head with their offsets. */
  private readonly objects = new GrowingBytes(packBytes * 2);
  private readonly head = new GrowingBytes(packBytes / 4);
  private count = 0;
  private readonly packs: PdfStream[] = [];
  /** Streams to be packed, which come after the others. */
  private readonly late: { number: number; stream: PdfStream }[] = [];
  private readonly packing = new Packing();

  private readonly writer = new ObjectWriter(this.objects, (old) => this.newNumber(old));

  constructor(
    private readonly file: PdfFile,
    private readonly level: number,
  ) {}

  async bytes(): Promise<Uint8Array> {
    this.put(Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"));
    for (const key of ["Root", "Info"]) this.reach(this.file.trailer.entries.get(key) ?? null);
    for (let number = 1; number < this.order.length; number++) this.write(number, this.order[number] ?? 0);
    this.endPack();
    const firstPack = this.order.length;
    await this.packing.done();
    for (const { number, stream } of this.late) this.putStream(number, stream);
    for (const [index, pack] of this.packs.entries()) this.putStream(firstPack + index, pack);
    this.finish(firstPack);
    return Buffer.concat(this.parts, this.offset);
  }

  /** Puts what an object refers to among those that are to be written. */
  private reach(object: PdfObject): void {
    new ObjectWriter(new GrowingBytes(256), this.newNumber).write(object);
  }

  /** Also puts the object among those that are to be written. */
  private readonly newNumber = (old: number): number => {
    const known = this.numbers[old];
    if (known !== undefined) return known;
    const exists = this.file.unreadObject(old) !== undefined || this.file.get(pdfReference(old)) !== null;
    const number = exists ? this.order.length : 0;
    this.numbers[old] = number;
    if (exists) this.order.push(old);
    return number;
  };

  private write(number: number, old: number): void {
    const at = this.objects.length;
    const unread = this.file.unreadObject(old);
    if (unread === undefined || !copyUnread(unread, this.objects, this.newNumber)) {
      const object = this.file.get(pdfReference(old));
      if (isKind(object, "stream")) {
        if (object.packing === undefined) this.putStream(number, object);
        else {
          this.reach(object.dictionary);
          this.late.push({ number, stream: object });
          this.packing.add(object);
        }
        return;
      }
      this.writer.write(object);
    }
    this.packOf[number] = this.packs.length;
    this.placeOf[number] = this.count++;
    this.head.whole(number);
    this.head.byte(0x20);
    this.head.whole(at);
    this.head.byte(0x0a);
    this.objects.byte(0x0a);
    if (this.objects.length > packBytes || this.count === mostPacked) this.endPack();
  }

  private endPack(): void {
    if (this.count === 0) return;
    const first = this.head.length;
    const content = Buffer.concat([this.head.take(), this.objects.take()]);
    const dictionary = pdfDictionary({ Type: pdfName("ObjStm"), N: this.count, First: first });
    const pack = { kind: "stream", dictionary, data: content, packing: this.level } as const;
    this.count = 0;
    this.packs.push(pack);
    this.packing.add(pack);
  }

  private putStream(number: number, { dictionary, data }: PdfStream): void {
    this.packOf[number] = noPack;
    this.placeOf[number] = this.offset;
    const head = new GrowingBytes(512);
    head.text(`${number} 0 obj\n`);
    const entries = new Map(dictionary.entries).set("Length", data.length);
    new ObjectWriter(head, this.newNumber).write({ kind: "dictionary", entries });
    head.text("\nstream\n");
    this.put(head.take());
    this.put(data);
    this.put(Buffer.from("\nendstream\nendobj\n"));
  }

  /** The cross-reference stream, which is the trailer too. */
  private finish(firstPack: number): void {
    const start = this.offset;
    const number = this.placeOf.length;
    const size = number + 1;
    const rows = Buffer.alloc(size * 7);
    rows.writeUInt16BE(65_535, 5);
    for (let index = 1; index < size; index++) {
      const place = index === number ? start : this.placeOf[index];
      const pack = this.packOf[index] ?? noPack;
      if (place === undefined) throw new PdfFormatError("An object was not written.");
      rows[index * 7] = pack === noPack ? 1 : 2;
      rows.writeUInt32BE(pack === noPack ? place : firstPack + pack, index * 7 + 1);
      rows.writeUInt16BE(pack === noPack ? 0 : place, index * 7 + 5);
    }
    const entries: Record<string, PdfObject> = {
      Type: pdfName("XRef"),
      Size: size,
      W: pdfArray([1, 4, 2]),
      DecodeParms: {
        kind: "dictionary",
        entries: new Map([
          ["Predictor", 12],
          ["Columns", 7],
        ]),
      },
    };
    for (const key of ["Root", "Info"]) {
      const value = this.file.trailer.entries.get(key);
      if (value !== undefined) entries[key] = value;
    }
    // The same content has the same identifier.
    const identifier = {
      kind: "string",
      bytes: this.hash.copy().digest().toString("latin1", 0, 16),
    } as const;
    entries["ID"] = pdfArray([identifier, identifier]);
    this.putStream(number, packedStream(predicted(rows), entries));
    this.put(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  }

  private put(bytes: Uint8Array): void {
    this.parts.push(bytes);
    this.hash.update(bytes);
    this.offset += bytes.length;
  }
}

/** Packs streams in place, a few at a time. */
class Packing {
  private readonly waiting: PdfStream[] = [];
  private readonly working: Promise<void>[] = [];

  add(stream: PdfStream): void {
    this.waiting.push(stream);
    if (this.working.length === mostAtOnce) return;
    const work = this.work();
    work.catch(() => undefined); // `done` rejects with the error
    this.working.push(work);
  }

  /** After this, nothing is added any more. */
  async done(): Promise<void> {
    await Promise.all(this.working);
  }

  private async work(): Promise<void> {
    for (let stream = this.waiting.shift(); stream !== undefined; stream = this.waiting.shift()) {
      const { data, packing } = stream;
      stream.data = await deflated(data, {
        chunkSize: pieceBytes,
        ...(packing !== undefined && { level: packing }),
      });
      stream.dictionary.entries.set("Filter", pdfName("FlateDecode"));
      delete stream.packing;
    }
  }
}

/** The differences of the rows to the ones above (PNG's predictor "up"), which pack far better. */
function predicted(rows: Buffer): Buffer {
  const width = 7;
  const count = rows.length / width;
  const out = Buffer.alloc(count * (width + 1));
  for (let row = 0; row < count; row++) {
    out[row * (width + 1)] = 2;
    for (let column = 0; column < width; column++) {
      const above = row > 0 ? (rows[(row - 1) * width + column] ?? 0) : 0;
      out[row * (width + 1) + 1 + column] = (rows[row * width + column] ?? 0) - above;
    }
  }
  return out;
}
