/** Named destinations, of which PDF has two kinds: names in the catalog (Chromium's) and strings in a name tree. */
import type { PdfFile } from "./pdf-file.js";
import { type PdfDictionary, type PdfObject, pdfDictionary } from "./pdf-object.js";
import { addNameTree, nameTreeEntries } from "./sorted-trees.js";

export interface NamedDestinations {
  names: Map<string, PdfObject>;
  strings: Map<string, PdfObject>;
}

/** Those of a part. Throws `PdfFormatError` for a tree that goes round. */
export function destinationsOf(file: PdfFile, catalog: PdfDictionary): NamedDestinations {
  const trees = file.dictionary(catalog.entries.get("Names"));
  return {
    names: file.dictionary(catalog.entries.get("Dests"))?.entries ?? new Map(),
    strings: nameTreeEntries(file, trees?.entries.get("Dests")),
  };
}

/** All of them become those of the report. Their names must differ already. */
export function joinDestinations(file: PdfFile, catalog: PdfDictionary, parts: NamedDestinations[]): void {
  const names = new Map(parts.flatMap((part) => [...part.names]));
  if (names.size > 0) catalog.entries.set("Dests", file.add({ kind: "dictionary", entries: names }));
  const strings = new Map(parts.flatMap((part) => [...part.strings]));
  if (strings.size === 0) return;
  const trees = file.dictionary(catalog.entries.get("Names")) ?? pdfDictionary();
  trees.entries.set("Dests", addNameTree(file, strings));
  catalog.entries.set("Names", file.add(trees));
}
