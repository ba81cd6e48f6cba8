import {
  highestNumber,
  isKind,
  type Numbering,
  type PdfDictionary,
  PdfFormatError,
  type PdfObject,
  type PdfReference,
  type PdfStream,
  pdfReference,
} from "./pdf-object.js";
import { PdfParser } from "./pdf-parser.js";
import { decodedContent } from "./stream-content.js";

/** The location of an object that is not parsed yet. */
export interface UnreadObject {
  readonly source: Uint8Array;
  readonly position: number;
  readonly numbering: Numbering;
  /**
   * Its object number in its own file if it is a top-level object (`1 0 obj`), undefined inside an object
   * stream.
   */
  readonly header: number | undefined;
}

/** The result of adopting another file. */
export interface AdoptedFile {
  /** Its trailer, with the new object numbers. */
  readonly trailer: PdfDictionary;
  /** Whether the object was part of that file. */
  has(reference: PdfReference): boolean;
}

const longestChain = 32;
const deepestReading = 32;

/**
 * The objects of a PDF, parsed on demand. `get` and `resolve` return the object itself: changing it changes
 * the file. Objects that are never requested are copied unchanged, and unreferenced objects are not written.
 */
export class PdfFile {
  private readonly unread: (UnreadObject | undefined)[] = [];
  private readonly objects: (PdfObject | undefined)[] = [];
  private next = 1;
  private reading = 0;

  /** `trailer` has `Root`, and `Info` and `ID` if the file has them. */
  constructor(readonly trailer: PdfDictionary) {}

  /** The object with that number, or null. */
  get(reference: PdfReference): PdfObject {
    const { number } = reference;
    const known = this.objects[number];
    if (known !== undefined) return known;
    const unread = this.unread[number];
    if (unread === undefined) return null;
    // The length of a stream may be an indirect object, which in a hostile file is another stream.
    if (++this.reading > deepestReading) throw new PdfFormatError("Objects depend on each other in a cycle.");
    try {
      const read = this.read(unread);
      this.objects[number] = read;
      this.unread[number] = undefined;
      return read;
    } finally {
      this.reading--;
    }
  }

  /** Resolves a reference; null for undefined. Throws for circular references. */
  resolve(object: PdfObject | undefined): PdfObject {
    let found = object ?? null;
    for (let step = 0; isKind(found, "reference"); step++) {
      if (step > longestChain) throw new PdfFormatError("A chain of references is too long.");
      found = this.get(found);
    }
    return found;
  }

  /** The dictionary, including that of a stream, with references resolved; undefined for anything else. */
  dictionary(object: PdfObject | undefined): PdfDictionary | undefined {
    const found = this.resolve(object);
    if (isKind(found, "stream")) return found.dictionary;
    return isKind(found, "dictionary") ? found : undefined;
  }

  /** The items of an array, with references resolved; undefined for anything else. */
  array(object: PdfObject | undefined): PdfObject[] | undefined {
    const found = this.resolve(object);
    return isKind(found, "array") ? found.items : undefined;
  }

  /** The catalog. Throws if the file has none. */
  get catalog(): PdfDictionary {
    const catalog = this.dictionary(this.trailer.entries.get("Root"));
    if (catalog === undefined) throw new PdfFormatError("The file has no catalog.");
    return catalog;
  }

  /** References to all objects, in the order of their numbers. */
  *references(): Generator<PdfReference> {
    for (let number = 1; number < this.next; number++)
      if (this.objects[number] !== undefined || this.unread[number] !== undefined) yield pdfReference(number);
  }

  /** Adds an object and returns its reference. */
  add(object: PdfObject): PdfReference {
    const reference = pdfReference(this.next);
    this.replace(reference, object);
    return reference;
  }

  /** Replaces an object; references to it stay valid. */
  replace(reference: PdfReference, object: PdfObject): void {
    this.reserve(reference.number);
    this.objects[reference.number] = object;
    this.unread[reference.number] = undefined;
  }

  /** The decoded bytes of a stream, at most `limit`. Throws `PdfFormatError` for more, damaged data, and images. */
  content(stream: PdfStream, limit?: number): Uint8Array {
    return decodedContent(stream, (object) => this.resolve(object), limit);
  }

  /** Adopts all objects of another file, which must not be used afterwards. */
  adopt(other: PdfFile): AdoptedFile {
    const shift = this.next - 1;
    const last = other.next - 1;
    if (shift + last > highestNumber) throw new PdfFormatError("There are too many objects.");
    other.unread.forEach((each, number) => {
      if (each === undefined) return;
      const { numbering } = each;
      this.addUnread(number + shift, {
        ...each,
        numbering: { ...numbering, shift: numbering.shift + shift },
      });
    });
    other.objects.forEach((each, number) => {
      if (each !== undefined) this.replace(pdfReference(number + shift), shifted(each, shift));
    });
    this.next = shift + last + 1;
    return {
      trailer: shiftedDictionary(other.trailer, shift),
      has: (reference) => reference.number > shift && reference.number <= shift + last,
    };
  }

  /** For the reader: registers the location of an object. */
  addUnread(number: number, object: UnreadObject): void {
    this.reserve(number);
    this.unread[number] = object;
  }

  /**
   * A parser for an object that is not parsed yet, for callers that need not keep it. Throws for damaged
   * files.
   */
  unreadParser({ number }: PdfReference): PdfParser | undefined {
    const unread = this.unread[number];
    return unread && parserAt(unread);
  }

  /** For the writer: the location of an object that is not parsed yet. */
  unreadObject(number: number): UnreadObject | undefined {
    return this.unread[number];
  }

  private reserve(number: number): void {
    if (number > highestNumber) throw new PdfFormatError("There are too many objects.");
    if (number >= this.next) this.next = number + 1;
  }

  private read(unread: UnreadObject): PdfObject {
    const { source, header } = unread;
    const parser = parserAt(unread);
    const object = parser.object();
    if (header === undefined || !isKind(object, "dictionary") || !parser.keyword("stream")) return object;
    const start = dataStart(source, parser.position);
    const length = this.resolve(object.entries.get("Length"));
    if (
      typeof length !== "number" ||
      length < 0 ||
      !Number.isInteger(length) ||
      start + length > source.length
    )
      throw new PdfFormatError(`The stream ${header} has no valid length.`);
    const end = new PdfParser(source, start + length);
    if (!end.keyword("endstream"))
      throw new PdfFormatError(`The stream ${header} does not end where it should.`);
    return { kind: "stream", dictionary: object, data: source.subarray(start, start + length) };
  }
}

function parserAt({ source, position, numbering, header }: UnreadObject): PdfParser {
  const parser = new PdfParser(source, position, numbering);
  if (header !== undefined && (parser.whole() !== header || parser.whole() < 0 || !parser.keyword("obj")))
    throw new PdfFormatError(`Object ${header} is not where it should be.`);
  return parser;
}

/** The data starts after the line end that follows the keyword. */
function dataStart(source: Uint8Array, afterKeyword: number): number {
  if (source[afterKeyword] === 13 && source[afterKeyword + 1] === 10) return afterKeyword + 2;
  if (source[afterKeyword] === 10) return afterKeyword + 1;
  throw new PdfFormatError("There is no line end after the keyword `stream`.");
}

/** The object with shifted numbers in its references. */
function shifted(object: PdfObject, shift: number): PdfObject {
  if (shift === 0 || typeof object !== "object" || object === null) return object;
  switch (object.kind) {
    case "reference":
      return pdfReference(object.number + shift);
    case "array":
      return { kind: "array", items: object.items.map((each) => shifted(each, shift)) };
    case "dictionary":
      return shiftedDictionary(object, shift);
    case "stream":
      return { ...object, dictionary: shiftedDictionary(object.dictionary, shift) };
    default:
      return object;
  }
}

function shiftedDictionary(dictionary: PdfDictionary, shift: number): PdfDictionary {
  const entries = new Map<string, PdfObject>();
  for (const [key, value] of dictionary.entries) entries.set(key, shifted(value, shift));
  return { kind: "dictionary", entries };
}
