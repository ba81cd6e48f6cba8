/** Name trees and number trees: dictionaries that a PDF spreads over several objects. */

import type { PdfFile } from "./pdf-file.js";
import {
  isKind,
  type PdfDictionary,
  PdfFormatError,
  type PdfObject,
  type PdfReference,
  pdfArray,
  pdfDictionary,
} from "./pdf-object.js";

const mostEntries = 1_000_000;
const leafEntries = 256;

/** By the bytes of the name; values are not resolved. Throws for circular trees. */
export function nameTreeEntries(file: PdfFile, root: PdfObject | undefined): Map<string, PdfObject> {
  const entries = new Map<string, PdfObject>();
  for (const [key, value] of treeEntries(file, root, "Names"))
    if (isKind(key, "string") && !entries.has(key.bytes)) entries.set(key.bytes, value);
  return entries;
}

/** By number from 0; values are not resolved. Throws for circular trees. */
export function numberTreeEntries(file: PdfFile, root: PdfObject | undefined): Map<number, PdfObject> {
  const entries = new Map<number, PdfObject>();
  for (const [key, value] of treeEntries(file, root, "Nums"))
    if (typeof key === "number" && Number.isSafeInteger(key) && key >= 0 && !entries.has(key))
      entries.set(key, value);
  return entries;
}

/** Adds a name tree of these entries. */
export function addNameTree(file: PdfFile, entries: Map<string, PdfObject>): PdfReference {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return addTree(
    file,
    "Names",
    sorted.map(([bytes, value]) => [{ kind: "string", bytes }, value]),
  );
}

/** Adds a number tree of these entries. */
export function addNumberTree(file: PdfFile, entries: Map<number, PdfObject>): PdfReference {
  return addTree(
    file,
    "Nums",
    [...entries].sort(([a], [b]) => a - b),
  );
}

function* treeEntries(
  file: PdfFile,
  root: PdfObject | undefined,
  kind: "Names" | "Nums",
): Generator<[PdfObject, PdfObject]> {
  const seen = new Set<PdfDictionary>();
  const waiting: PdfObject[] = [root ?? null];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const node = file.dictionary(next);
    if (node === undefined) continue;
    if (seen.has(node)) throw new PdfFormatError("A tree of names or numbers goes round.");
    seen.add(node);
    const items = file.array(node.entries.get(kind)) ?? [];
    for (let index = 0; index + 1 < items.length; index += 2) {
      if (++count > mostEntries) throw new PdfFormatError("A tree of names or numbers is too large.");
      yield [file.resolve(items[index]), items[index + 1] ?? null];
    }
    for (const kid of [...(file.array(node.entries.get("Kids")) ?? [])].reverse()) waiting.push(kid);
  }
}

function addTree(file: PdfFile, kind: "Names" | "Nums", entries: [PdfObject, PdfObject][]): PdfReference {
  if (entries.length <= leafEntries) return file.add(pdfDictionary({ [kind]: pdfArray(entries.flat()) }));
  const leaves: PdfObject[] = [];
  for (let start = 0; start < entries.length; start += leafEntries) {
    const part = entries.slice(start, start + leafEntries);
    const limits = pdfArray([part[0]?.[0] ?? null, part.at(-1)?.[0] ?? null]);
    leaves.push(file.add(pdfDictionary({ Limits: limits, [kind]: pdfArray(part.flat()) })));
  }
  return file.add(pdfDictionary({ Kids: pdfArray(leaves) }));
}
