/** Named destinations, of which PDF has two kinds: names in the catalog (Chromium's) and strings in a name tree. */

import {
  addNameTree,
  isKind,
  nameTreeEntries,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  type PdfPage,
  pdfDictionary,
  textOf,
} from "@slipway/sdk/runtime/pdf";
import { internalDomain } from "../print/document-origins.js";

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

// Where the links of a PDF lead.

const webSchemes = new Set(["http", "https", "mailto", "tel"]);

/** The address of an action that is a link; viewers pass over blanks and control characters in it. */
export function linkAddress(file: PdfFile, action: PdfObject): string | undefined {
  const link = file.resolve(file.dictionary(action)?.entries.get("URI"));
  return isKind(link, "string") ? textOf(link).replace(/[\0-\x20\x7f-\xa0]/g, "") : undefined;
}

/** Whether it leads to the web, a mail box or a telephone: not `javascript:`, not `file:`, and `\\server` is a file too. */
export function mayBeFollowed(address: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
  return scheme === undefined ? !address.startsWith("\\") : webSchemes.has(scheme.toLowerCase());
}

// Links of the report itself: what a template or its data put into an `href`.

/** Takes the target from links that would run or open something, and from those that lead to where only the host is. */
export function cleanLinks(file: PdfFile, pages: readonly PdfPage[]): void {
  for (const { dictionary } of pages) {
    for (const each of file.array(dictionary.entries.get("Annots")) ?? []) {
      const annotation = file.dictionary(each);
      const action = annotation?.entries.get("A");
      if (annotation === undefined || action === undefined) continue;
      const address = linkAddress(file, action);
      if (address !== undefined && !(mayBeFollowed(address) && !isInternal(address)))
        annotation.entries.delete("A");
    }
  }
}

/** Relative addresses, which the browser has completed. */
function isInternal(address: string): boolean {
  return URL.canParse(address) && new URL(address).hostname.endsWith(`.${internalDomain}`);
}
