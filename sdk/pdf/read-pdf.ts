import { readCrossReferences } from "./cross-references.js";
import { PdfFile } from "./pdf-file.js";
import { isKind, isName, type Numbering, PdfFormatError, pdfDictionary, pdfReference } from "./pdf-object.js";
import { PdfParser } from "./pdf-parser.js";

/** What all object streams of a file may unpack to, together. */
const unpackedBytes = 256 * 1024 ** 2;

/**
 * The file of these bytes, which are kept and must not change. Objects are read when they are asked for. Throws
 * `PdfFormatError` for what is damaged, encrypted, or not worth the trouble: nothing is repaired here. With `encrypted`,
 * a file may be encrypted: then it has `Encrypt` in its trailer, and what objects say is unreadable.
 */
export function readPdf(bytes: Uint8Array, { encrypted = false } = {}): PdfFile {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(5, bytes.length)).toString("latin1") !== "%PDF-")
    throw new PdfFormatError("The file does not begin like a PDF.");
  const { places, trailer } = readCrossReferences(bytes);
  const isEncrypted = trailer.entries.has("Encrypt");
  if (isEncrypted && !encrypted) throw new PdfFormatError("The file is encrypted.");
  const kept = ["Root", "Info", "ID", "Encrypt"].map((key) => [key, trailer.entries.get(key)] as const);
  const file = new PdfFile(pdfDictionary(Object.fromEntries(kept)));
  let last = 0;
  for (const number of places.keys()) last = Math.max(last, number);
  const numbering = { shift: 0, last };
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
    if (left < 0) throw new PdfFormatError("The object streams unpack to too much.");
  }
  return file;
}

/** Notes where the members of an object stream stand; gives the length of what was unpacked. */
function unpack(file: PdfFile, container: number, members: Set<number>, numbering: Numbering): number {
  const stream = file.get(pdfReference(container));
  if (!isKind(stream, "stream") || !isName(stream.dictionary.entries.get("Type"), "ObjStm"))
    throw new PdfFormatError(`Object ${container} is no object stream.`);
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
