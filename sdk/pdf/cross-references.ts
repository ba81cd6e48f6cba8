/** Reads the cross-reference tables and streams of a PDF. */

import { PdfFile } from "./pdf-file.js";
import {
  highestNumber,
  isKind,
  isName,
  ownNumbering,
  type PdfDictionary,
  PdfFormatError,
  pdfReference,
} from "./pdf-object.js";
import { PdfParser } from "./pdf-parser.js";
import { isDigit } from "./pdf-text.js";

/** The location of an object: in the file (`position`), in an object stream (`container`), or deleted. */
export type Place =
  | { kind: "file"; position: number }
  | { kind: "packed"; container: number }
  | { kind: "free" };

export interface CrossReferences {
  /** By object number. */
  places: Map<number, Place>;
  trailer: PdfDictionary;
}

const mostSections = 1000;
/** Entries of all sections together: a small file can unpack to more than fits into memory. */
const mostEntries = 2_000_000;
const tailLength = 2048;

/** Reads all sections, newest first; newer entries take precedence. Throws `PdfFormatError`. */
export function readCrossReferences(bytes: Uint8Array): CrossReferences {
  const places = new Places();
  const seen = new Set<number>();
  const waiting = [startOfNewest(bytes)];
  let newest: PdfDictionary | undefined;
  for (let position = waiting.shift(); position !== undefined; position = waiting.shift()) {
    if (seen.has(position)) throw new PdfFormatError("The cross-reference sections form a cycle.");
    if (seen.size >= mostSections) throw new PdfFormatError("There are too many cross-reference sections.");
    seen.add(position);
    const trailer = readSection(bytes, position, places);
    newest ??= trailer;
    // In a hybrid file, a section also exists as a stream, which takes precedence over older sections.
    for (const key of ["XRefStm", "Prev"]) {
      const further = trailer.entries.get(key);
      if (typeof further === "number") waiting.push(further);
    }
  }
  if (newest === undefined) throw new PdfFormatError("There is no cross-reference section.");
  return { places: places.found, trailer: newest };
}

/** Where the newest section begins. Throws `PdfFormatError` for a file without an end. */
export function startOfNewest(bytes: Uint8Array): number {
  const from = Math.max(0, bytes.length - tailLength);
  const at = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).lastIndexOf("startxref");
  if (at < 0) throw new PdfFormatError("The end of the file is missing.");
  return new PdfParser(bytes, from + at + "startxref".length).whole();
}

/** Reads one section and its trailer. */
function readSection(bytes: Uint8Array, position: number, places: Places): PdfDictionary {
  const parser = new PdfParser(bytes, position);
  if (!parser.keyword("xref")) return readStream(bytes, position, places);
  while (!parser.keyword("trailer")) {
    const first = parser.whole();
    const count = parser.whole();
    for (let index = 0; index < count; index++) {
      const offset = parser.whole();
      parser.whole();
      const used = parser.keyword("n");
      if (!used && !parser.keyword("f")) throw new PdfFormatError("A cross-reference table is damaged.");
      places.note(first + index, used ? { kind: "file", position: offset } : { kind: "free" });
    }
  }
  const trailer = parser.object();
  if (!isKind(trailer, "dictionary")) throw new PdfFormatError("The file has no trailer.");
  return trailer;
}

function readStream(bytes: Uint8Array, position: number, places: Places): PdfDictionary {
  const parser = new PdfParser(bytes, position);
  if (!isDigit(bytes[position]))
    throw new PdfFormatError("The cross-reference section is not where it should be.");
  const number = parser.whole();
  // A file with only this stream: the stream must not depend on other objects, which are not known yet.
  const file = new PdfFile({ kind: "dictionary", entries: new Map() });
  file.addUnread(number, { source: bytes, position, numbering: ownNumbering, header: number });
  const stream = file.get(pdfReference(number));
  if (!isKind(stream, "stream") || !isName(stream.dictionary.entries.get("Type"), "XRef"))
    throw new PdfFormatError("The cross-reference stream is not where it should be.");
  const { entries } = stream.dictionary;
  const widths = wholes(file, entries.get("W"));
  const [kindWidth, firstWidth, secondWidth] = widths;
  if (
    kindWidth === undefined ||
    firstWidth === undefined ||
    secondWidth === undefined ||
    widths.some((each) => each > 7)
  )
    throw new PdfFormatError("A cross-reference stream is damaged.");
  const width = kindWidth + firstWidth + secondWidth;
  const content = file.content(stream);
  const size = entries.get("Size");
  const ranges = entries.has("Index") ? wholes(file, entries.get("Index")) : [0, Number(size)];
  let at = 0;
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    const first = ranges[range] ?? 0;
    const count = ranges[range + 1] ?? 0;
    for (let index = 0; index < count; index++, at += width) {
      if (width === 0 || at + width > content.length)
        throw new PdfFormatError("A cross-reference stream is too short.");
      const kind = kindWidth === 0 ? 1 : field(content, at, kindWidth);
      const value = field(content, at + kindWidth, firstWidth);
      if (kind === 0) places.note(first + index, { kind: "free" });
      if (kind === 1) places.note(first + index, { kind: "file", position: value });
      if (kind === 2) places.note(first + index, { kind: "packed", container: value });
    }
  }
  return stream.dictionary;
}

/** The places of objects; the first one of a number counts. */
class Places {
  readonly found = new Map<number, Place>();
  private entries = 0;

  note(number: number, place: Place): void {
    if (number > highestNumber || ++this.entries > mostEntries)
      throw new PdfFormatError("There are too many objects.");
    if (!this.found.has(number)) this.found.set(number, place);
  }
}

function field(content: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let index = 0; index < width; index++) value = value * 256 + (content[at + index] ?? 0);
  return value;
}

function wholes(file: PdfFile, object: Parameters<PdfFile["array"]>[0]): number[] {
  return (file.array(object) ?? []).map((each) => {
    if (typeof each !== "number" || !Number.isInteger(each) || each < 0)
      throw new PdfFormatError("A cross-reference stream is damaged.");
    return each;
  });
}
