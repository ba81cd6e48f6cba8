/** What the bytes of a file, its trailer and the dictionaries of all its streams have to be like. */

import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfStream } from "../pdf-object.js";
import { entry, listEntry, nameText } from "../pdf-values.js";
import type { ArchiveFinding } from "./archive-finding.js";
import { findExceeded } from "./check-limits.js";

/** Every reader finds the last line within so many bytes. */
const tailBytes = 1024;

/** Header and end of the file. */
export function* checkSyntax(pdf: Uint8Array): Generator<ArchiveFinding> {
  const head = Buffer.from(pdf.subarray(0, 64)).toString("latin1");
  const header = /^%PDF-1\.[0-7](\r\n|\r|\n)/.exec(head);
  if (header === null) {
    const expected = 'expected "%PDF-1.n", with n from 0 to 7, and a line end as the first bytes';
    yield { rule: "6.1.2", message: `The header of the file is wrong: ${expected}.` };
  } else if (!/^%[\x80-\xff]{4}/.test(head.slice(header[0].length)))
    yield {
      rule: "6.1.2",
      message: "The header is not followed by a comment of at least four bytes above 127.",
    };
  const tail = Buffer.from(pdf.subarray(Math.max(0, pdf.length - tailBytes))).toString("latin1");
  if (!/%%EOF(\r\n|\r|\n)?$/.test(tail))
    yield { rule: "6.1.3", message: "There are bytes behind the last %%EOF: expected a line end at most." };
}

/** The trailer: an identifier, and no encryption. */
export function* checkTrailer(file: PdfFile): Generator<ArchiveFinding> {
  const { trailer } = file;
  if (trailer.entries.has("Encrypt"))
    yield { rule: "6.1.3", message: "The document is encrypted, so that nothing else could be checked." };
  const parts = listEntry(file, trailer, "ID").map((part) => file.resolve(part));
  if (parts.length !== 2 || !parts.every((part) => isKind(part, "string") && part.bytes !== ""))
    yield { rule: "6.1.3", message: "The trailer has no ID: expected two identifiers." };
}

/** Each broken limit and each kind of wrong stream once, of all objects, used or not. */
export function* checkAllObjects(file: PdfFile): Generator<ArchiveFinding> {
  const found = new Map<string, ArchiveFinding>();
  for (const reference of file.references()) {
    const object = file.get(reference);
    findExceeded(object, found);
    if (isKind(object, "stream"))
      for (const finding of streamFaults(file, object)) found.set(finding.message, finding);
  }
  yield* found.values();
}

function* streamFaults(file: PdfFile, { dictionary, data }: PdfStream): Generator<ArchiveFinding> {
  for (const key of ["F", "FFilter", "FDecodeParms"])
    if (dictionary.entries.has(key))
      yield { rule: "6.1.7.1", message: `A stream has ${key}: its data has to be in the file itself.` };
  if (entry(file, dictionary, "Length") !== data.length)
    yield { rule: "6.1.7.1", message: "The Length of a stream is not the number of its bytes." };
  const filters = listEntry(file, dictionary, "Filter").map((each) => nameText(file.resolve(each)));
  for (const filter of filters)
    if (filter === undefined || !allowedFilters.has(filter))
      yield {
        rule: "6.1.7.2",
        message: `A stream has the filter ${filter ?? "of no name"}: expected none but ${[...allowedFilters].join(", ")}.`,
      };
}

const allowedFilters = new Set([
  "ASCIIHexDecode",
  "ASCII85Decode",
  "FlateDecode",
  "RunLengthDecode",
  "CCITTFaxDecode",
  "JBIG2Decode",
  "DCTDecode",
  "JPXDecode",
]);
