/** Outlines (bookmarks): a tree of items that point to each other in both directions. */

import {
  isKind,
  type PdfDictionary,
  type PdfFile,
  PdfFormatError,
  type PdfObject,
  type PdfReference,
  pdfDictionary,
  pdfName,
} from "@slipway/sdk/runtime/pdf";

const mostItems = 100_000;

interface OutlineItem {
  reference: PdfReference;
  dictionary: PdfDictionary;
}

/** The top items of all parts one after the other become the outline of `catalog`. Throws for items that go round. */
export function joinOutlines(file: PdfFile, catalog: PdfDictionary, parts: PdfDictionary[]): void {
  const items = parts.flatMap((part) => topItems(file, part));
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) {
    catalog.entries.delete("Outlines");
    return;
  }
  const root = file.add(
    pdfDictionary({
      Type: pdfName("Outlines"),
      First: first.reference,
      Last: last.reference,
      Count: items.reduce((sum, item) => sum + 1 + visibleBelow(file, item.dictionary), 0),
    }),
  );
  for (const [index, { dictionary }] of items.entries()) {
    dictionary.entries.set("Parent", root);
    link(dictionary, "Prev", items[index - 1]?.reference);
    link(dictionary, "Next", items[index + 1]?.reference);
  }
  catalog.entries.set("Outlines", root);
}

/** Walks all items of an attachment, so that one that goes round is found before it is part of anything. */
export function checkOutline(file: PdfFile, catalog: PdfDictionary): void {
  const seen = new Set<PdfDictionary>();
  const waiting: PdfObject[] = [
    file.dictionary(catalog.entries.get("Outlines"))?.entries.get("First") ?? null,
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const item = file.dictionary(next);
    if (item === undefined) continue;
    if (seen.has(item)) throw new PdfFormatError("The outline goes round.");
    if (seen.size > mostItems) throw new PdfFormatError("The outline is too large.");
    seen.add(item);
    waiting.push(item.entries.get("Next") ?? null, item.entries.get("First") ?? null);
  }
}

function topItems(file: PdfFile, catalog: PdfDictionary): OutlineItem[] {
  const items: OutlineItem[] = [];
  const seen = new Set<PdfDictionary>();
  let next = file.dictionary(catalog.entries.get("Outlines"))?.entries.get("First");
  for (;;) {
    const dictionary = file.dictionary(next);
    if (dictionary === undefined || !isKind(next, "reference")) return items;
    if (seen.has(dictionary)) throw new PdfFormatError("The outline goes round.");
    if (seen.size > mostItems) throw new PdfFormatError("The outline is too large.");
    seen.add(dictionary);
    items.push({ reference: next, dictionary });
    next = dictionary.entries.get("Next");
  }
}

/** A negative count says that the items below are folded away. */
function visibleBelow(file: PdfFile, item: PdfDictionary): number {
  const count = file.resolve(item.entries.get("Count"));
  return typeof count === "number" ? Math.max(0, Math.min(mostItems, Math.floor(count))) : 0;
}

function link(item: PdfDictionary, key: string, reference: PdfReference | undefined): void {
  if (reference === undefined) item.entries.delete(key);
  else item.entries.set(key, reference);
}
