/**
 * Embeds files in a finished PDF (ISO 19005-3, 6.8) by an update at its end, so that neither its bytes nor those of the
 * files have to be in memory.
 */
import { createHash } from "node:crypto";
import { startOfNewest } from "./cross-references.js";
import { GrowingBytes, ObjectWriter } from "./object-syntax.js";
import { catalogClaims } from "./pdf-claims.js";
import type { PdfFile } from "./pdf-file.js";
import {
  isKind,
  PdfFormatError,
  type PdfObject,
  type PdfReference,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfReference,
} from "./pdf-object.js";
import { pdfText } from "./pdf-text.js";
import { dictionaryEntry, listEntry, streamEntry } from "./pdf-values.js";
import { readPdf } from "./read-pdf.js";
import { nameTreeEntries } from "./sorted-trees.js";
import { withStatement, type XmpStatement } from "./xmp-extension.js";

/** Relations of an embedded file to its document (ISO 19005-3, annex E). */
export const relationships = ["Source", "Data", "Alternative", "Supplement", "Unspecified"] as const;

/** A file to embed, without its bytes. */
export interface FileToEmbed {
  name: string;
  /** Such as "text/xml". */
  mediaType: string;
  relationship: (typeof relationships)[number];
  description?: string | undefined;
  /** SHA-256 of the content, so that different files give different identifiers. */
  etag: string;
}

/** An update of a PDF; its objects are numbered from `first`, three for each file: content, length, parameters. */
export interface PdfUpdate {
  first: number;
  /** The PDF claims PDF/A-3. */
  archivable: boolean;
  /** Further objects, complete. */
  objects: { number: number; bytes: Uint8Array }[];
  /** One more than the highest number, that of the cross-reference stream. */
  size: number;
  /** Where the cross-references of the PDF begin. */
  previous: number;
  /** Entries of the trailer, written. */
  trailer: Uint8Array;
}

/** Objects of each file besides its specification. */
export const objectsOfFile = 3;

/**
 * Plans the update that embeds files in a PDF, and adds `statement` to its metadata. Throws `PdfFormatError` for damaged
 * PDFs, for existing names and properties, and for PDFs that conform to a part of PDF/A that forbids embedded files.
 */
export function planUpdate(
  pdf: Uint8Array,
  files: readonly FileToEmbed[],
  statement?: XmpStatement,
): PdfUpdate {
  const file = readPdf(pdf);
  const { part } = catalogClaims(file, file.catalog);
  if (part !== undefined && part !== "3")
    // Parts 1 and 2 of PDF/A allow no files, or only archivable ones.
    throw new PdfFormatError(
      `The PDF conforms to PDF/A-${part}, which allows no such files: expected PDF/A-3.`,
    );
  const root = file.trailer.entries.get("Root");
  if (!isKind(root, "reference")) throw new PdfFormatError("The file has no catalog.");
  const given = dictionaryEntry(file, file.catalog, "Names");
  const tree = nameTreeEntries(file, given?.entries.get("EmbeddedFiles"));
  const contents = files.map(() => Array.from({ length: objectsOfFile }, () => file.add(null))[0]);
  const specifications: PdfReference[] = [];
  for (const [index, each] of files.entries()) {
    const name = pdfText(each.name);
    if (tree.has(name.bytes))
      throw new PdfFormatError(`The PDF has a file ${JSON.stringify(each.name)} already.`);
    const content = pdfDictionary({ F: contents[index], UF: contents[index] });
    const specification = file.add(
      pdfDictionary({
        Type: pdfName("Filespec"),
        F: name,
        UF: name,
        EF: content,
        AFRelationship: pdfName(each.relationship),
        Desc: each.description === undefined ? undefined : pdfText(each.description),
      }),
    );
    tree.set(name.bytes, specification);
    specifications.push(specification);
  }
  const { entries } = file.catalog;
  const names = pdfDictionary(Object.fromEntries(given?.entries ?? []));
  // One list without nodes, in the catalog itself: some readers look no further.
  const sorted = [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
  const list = sorted.flatMap(([bytes, value]): PdfObject[] => [{ kind: "string", bytes }, value]);
  names.entries.set("EmbeddedFiles", pdfDictionary({ Names: pdfArray(list) }));
  entries.set("Names", names);
  entries.set("AF", pdfArray([...listEntry(file, file.catalog, "AF"), ...specifications]));
  const changed = [...specifications, ...statedMetadata(file, statement), root];
  const last = file.add(null).number;
  return {
    first: contents[0]?.number ?? last,
    archivable: part !== undefined,
    objects: changed.map(({ number }) => ({ number, bytes: writtenObject(file, number) })),
    size: last + 1,
    previous: startOfNewest(pdf),
    trailer: trailerOf(file, root, files, statement),
  };
}

/** The metadata with a statement, under the same object number; nothing without a statement. */
function statedMetadata(file: PdfFile, statement: XmpStatement | undefined): PdfReference[] {
  const reference = file.catalog.entries.get("Metadata");
  const metadata = streamEntry(file, file.catalog, "Metadata");
  if (statement === undefined || metadata === undefined || !isKind(reference, "reference")) return [];
  const dictionary = pdfDictionary({ Type: pdfName("Metadata"), Subtype: pdfName("XML") });
  const data = withStatement(file.content(metadata), statement);
  file.replace(reference, { kind: "stream", dictionary, data });
  return [reference];
}

function trailerOf(
  file: PdfFile,
  root: PdfReference,
  files: readonly FileToEmbed[],
  statement: XmpStatement | undefined,
): Uint8Array {
  const [original] = listEntry(file, file.trailer, "ID").map((each) => file.resolve(each));
  const hash = createHash("sha256");
  if (isKind(original, "string")) hash.update(original.bytes, "latin1");
  for (const { name, etag } of files) hash.update(`${etag} ${name}\n`);
  if (statement !== undefined) hash.update(JSON.stringify(statement));
  const now = { kind: "string", bytes: hash.digest().toString("latin1", 0, 16) } as const;
  const trailer = pdfDictionary({
    Root: pdfReference(root.number),
    Info: file.trailer.entries.get("Info"),
    ID: pdfArray([isKind(original, "string") ? original : now, now]),
  });
  return written(trailer, "", "");
}

function writtenObject(file: PdfFile, number: number): Uint8Array {
  const object = file.get(pdfReference(number));
  if (!isKind(object, "stream")) return written(object, `${number} 0 obj\n`, "\nendobj\n");
  object.dictionary.entries.set("Length", object.data.length);
  const head = written(object, `${number} 0 obj\n`, "\nstream\n");
  return Buffer.concat([head, object.data, Buffer.from("\nendstream\nendobj\n")]);
}

function written(object: PdfObject, before: string, after: string): Uint8Array {
  const bytes = new GrowingBytes(1024);
  bytes.text(before);
  new ObjectWriter(bytes, (number) => number).write(object);
  bytes.text(after);
  return bytes.take();
}

/** The dictionary of an embedded file, up to its data, which are packed with Flate. */
export function embeddedFileHead(number: number, mediaType: string): Uint8Array {
  const dictionary = pdfDictionary({
    Type: pdfName("EmbeddedFile"),
    Subtype: pdfName(mediaType),
    Filter: pdfName("FlateDecode"),
    Length: pdfReference(number + 1),
    Params: pdfReference(number + 2),
  });
  return written(dictionary, `${number} 0 obj\n`, "\nstream\n");
}

/** Facts that are known only after the data of an embedded file are written. */
export interface EmbeddedFileEnd {
  /** Packed. */
  length: number;
  /** Unpacked. */
  size: number;
  modified: Date;
  /** MD5 of the unpacked bytes. */
  checksum: Uint8Array;
}

/** The end of an embedded file and the two objects after it; `places` is where each of these begins in the bytes. */
export function embeddedFileEnd(
  number: number,
  { length, size, modified, checksum }: EmbeddedFileEnd,
): { bytes: Uint8Array; places: [length: number, parameters: number] } {
  const end = Buffer.from("\nendstream\nendobj\n");
  const lengthObject = Buffer.from(`${number + 1} 0 obj\n${length}\nendobj\n`);
  const parameters = pdfDictionary({
    Size: size,
    ModDate: pdfText(pdfDate(modified)),
    CheckSum: { kind: "string", bytes: Buffer.from(checksum).toString("latin1") },
  });
  const bytes = Buffer.concat([
    end,
    lengthObject,
    written(parameters, `${number + 2} 0 obj\n`, "\nendobj\n"),
  ]);
  return { bytes, places: [end.length, end.length + lengthObject.length] };
}

/** The cross-reference stream of the update, which is its end; `places` by object number. */
export function updateEnd(
  { size, previous, trailer }: PdfUpdate,
  places: ReadonlyMap<number, number>,
  start: number,
): Uint8Array {
  const all = [...places, [size - 1, start] as const].sort(([a], [b]) => a - b);
  const rows = Buffer.alloc(all.length * 5);
  const index: number[] = [];
  for (const [row, [number, place]] of all.entries()) {
    rows[row * 5] = 1;
    rows.writeUInt32BE(place, row * 5 + 1);
    const known = index.length >= 2 && (index.at(-2) ?? 0) + (index.at(-1) ?? 0) === number;
    if (known) index.push((index.pop() ?? 0) + 1);
    else index.push(number, 1);
  }
  const head = pdfDictionary({
    Type: pdfName("XRef"),
    Size: size,
    W: pdfArray([1, 4, 0]),
    Index: pdfArray(index),
    Prev: previous,
    Length: rows.length,
  });
  return Buffer.concat([
    written(head, `${size - 1} 0 obj\n`, "").subarray(0, -2),
    // The entries of the trailer are part of the same dictionary.
    trailer.subarray(2),
    Buffer.from("\nstream\n"),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`),
  ]);
}

function pdfDate(date: Date): string {
  return `D:${date.toISOString().replace(/\D/g, "").slice(0, 14)}+00'00'`;
}
