/**
 * Reads PDFs, to finish and to check them. Not @cantoo/pdf-lib, which drops tags and outlines of joined documents and is
 * slower: joining 147 tagged pages takes it 817 or 1042 ms of processor time, depending on its use, and this reader 301.
 * Finishing and checking 105 tagged pages took 1815 ms when the library read the written file, and takes 1031 with a check
 * of the same objects (`npm run bench -- finish`).
 */
import { readCrossReferences } from "./cross-references.js";
import { PdfFile } from "./pdf-file.js";
import {
  highestNumber,
  isKind,
  isName,
  type Numbering,
  type PdfDictionary,
  PdfEncryptedError,
  PdfFormatError,
  type PdfObject,
  type PdfReference,
  pdfDictionary,
  pdfReference,
} from "./pdf-object.js";
import { PdfParser } from "./pdf-parser.js";

/** Maximum total uncompressed size of a file's object streams. */
const unpackedBytes = 256 * 1024 ** 2;

/**
 * Opens a file from bytes, which are kept and must not change. Objects are parsed on demand. Throws
 * `PdfFormatError` for damaged, encrypted and unreasonable files: nothing is repaired. With `encrypted`,
 * encrypted files are accepted; they have `Encrypt` in the trailer, and their content is unreadable. With `dangling`, references
 * beyond the last object are kept instead of null; no other file may adopt such a file.
 */
export function readPdf(bytes: Uint8Array, { encrypted = false, dangling = false } = {}): PdfFile {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(5, bytes.length)).toString("latin1") !== "%PDF-")
    throw new PdfFormatError("The file has no PDF header.");
  const { places, trailer } = readCrossReferences(bytes);
  const isEncrypted = trailer.entries.has("Encrypt");
  if (isEncrypted && !encrypted) throw new PdfEncryptedError();
  const kept = ["Root", "Info", "ID", "Encrypt"].map((key) => [key, trailer.entries.get(key)] as const);
  const file = new PdfFile(pdfDictionary(Object.fromEntries(kept)));
  let last = 0;
  for (const number of places.keys()) last = Math.max(last, number);
  const numbering = { shift: 0, last: dangling ? highestNumber : last };
  const containers = new Map<number, Set<number>>();
  for (const [number, place] of places) {
    if (place.kind === "file" && number > 0)
      file.addUnread(number, { source: bytes, position: place.position, numbering, header: number });
    if (place.kind !== "packed") continue;
    const members = containers.get(place.container) ?? new Set();
    containers.set(place.container, members.add(number));
  }
  if (isEncrypted) return file;
  let left = unpackedBytes;
  for (const [container, members] of containers) {
    if (members.has(container)) throw new PdfFormatError("An object stream contains itself.");
    left -= unpack(file, container, members, numbering);
    if (left < 0) throw new PdfFormatError("The object streams exceed the size limit.");
  }
  return file;
}

/** Registers the members of an object stream; returns the uncompressed size. */
function unpack(file: PdfFile, container: number, members: Set<number>, numbering: Numbering): number {
  const stream = file.get(pdfReference(container));
  if (!isKind(stream, "stream") || !isName(stream.dictionary.entries.get("Type"), "ObjStm"))
    throw new PdfFormatError(`Object ${container} is not an object stream.`);
  const source = file.content(stream);
  const count = file.resolve(stream.dictionary.entries.get("N"));
  const first = file.resolve(stream.dictionary.entries.get("First"));
  if (typeof count !== "number" || typeof first !== "number" || count < 0 || first < 0)
    throw new PdfFormatError(`The object stream ${container} is damaged.`);
  const parser = new PdfParser(source, 0);
  for (let index = 0; index < count; index++) {
    const number = parser.whole();
    const position = first + parser.whole();
    if (members.has(number)) file.addUnread(number, { source, position, numbering, header: undefined });
  }
  return source.length;
}

export interface PdfPage {
  reference: PdfReference;
  dictionary: PdfDictionary;
}

const inheritable = ["Resources", "MediaBox", "CropBox", "Rotate"];
const mostNodes = 200_000;

/** All pages in order; copies inherited entries into each page. Throws for circular trees. */
export function pagesOf(file: PdfFile, catalog: PdfDictionary): PdfPage[] {
  const pages: PdfPage[] = [];
  const seen = new Set<PdfDictionary>();
  const waiting: { object: PdfObject; inherited: Map<string, PdfObject> }[] = [
    { object: catalog.entries.get("Pages") ?? null, inherited: new Map() },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { object } = next;
    const dictionary = file.dictionary(object);
    if (dictionary === undefined || !isKind(object, "reference"))
      throw new PdfFormatError("A page or a node of the page tree is missing.");
    if (seen.has(dictionary)) throw new PdfFormatError("The page tree contains a cycle.");
    if (seen.size > mostNodes) throw new PdfFormatError("The page tree is too large.");
    seen.add(dictionary);
    const inherited = new Map(next.inherited);
    for (const key of inheritable) {
      const own = dictionary.entries.get(key);
      if (own !== undefined) inherited.set(key, own);
    }
    const kids = file.array(dictionary.entries.get("Kids"));
    if (kids !== undefined && !isName(file.resolve(dictionary.entries.get("Type")), "Page")) {
      for (const kid of [...kids].reverse()) waiting.push({ object: kid, inherited });
      continue;
    }
    for (const [key, value] of inherited) dictionary.entries.set(key, value);
    pages.push({ reference: object, dictionary });
  }
  return pages;
}
