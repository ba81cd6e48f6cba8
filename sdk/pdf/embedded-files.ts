/** The files within a PDF. */

import type { PdfFile } from "./pdf-file.js";
import { type PdfDictionary, PdfFormatError, type PdfStream, pdfDictionary } from "./pdf-object.js";
import { textOf } from "./pdf-text.js";
import { dictionaryEntry, nameEntry, streamEntry, textEntry } from "./pdf-values.js";
import { nameTreeEntries } from "./sorted-trees.js";

/** A file within a PDF, whose content is not unpacked yet. */
export interface EmbeddedFile {
  /** As stated in the PDF; any text. */
  name: string;
  /** Such as "text/xml"; undefined if the PDF does not state it. */
  mediaType: string | undefined;
  /** Its relation to the document, such as "Alternative"; undefined if the PDF does not state it. */
  relationship: string | undefined;
  description: string | undefined;
  content: PdfStream;
}

const mostFiles = 10_000;

/** The files of the whole document, in the order of their name tree. Throws for circular trees. */
export function embeddedFiles(file: PdfFile): EmbeddedFile[] {
  return fileSpecifications(file).flatMap(({ name, specification }) => {
    const data = dictionaryEntry(file, specification, "EF");
    const content = data && (streamEntry(file, data, "F") ?? streamEntry(file, data, "UF"));
    if (content === undefined) return [];
    return {
      name: textEntry(file, specification, "UF") ?? textEntry(file, specification, "F") ?? name,
      mediaType: nameEntry(file, content.dictionary, "Subtype"),
      relationship: nameEntry(file, specification, "AFRelationship"),
      description: textEntry(file, specification, "Desc"),
      content,
    };
  });
}

/** A file specification of the tree of embedded files, and its name there. */
export interface FileSpecification {
  name: string;
  specification: PdfDictionary;
}

/** All file specifications, usable or not. Throws for circular trees and for more than 10,000 files. */
export function fileSpecifications(file: PdfFile): FileSpecification[] {
  const names = dictionaryEntry(file, file.catalog, "Names");
  const entries = nameTreeEntries(file, names?.entries.get("EmbeddedFiles"));
  if (entries.size > mostFiles) throw new PdfFormatError("The file embeds too many others.");
  return [...entries].map(([bytes, value]) => ({
    name: textOf({ kind: "string", bytes }),
    specification: file.dictionary(value) ?? pdfDictionary(),
  }));
}
