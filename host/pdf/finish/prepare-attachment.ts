import {
  isKind,
  isName,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  pdfName,
} from "@slipway/sdk/runtime/pdf";
import { disarm, disarmPage, disarmStream } from "./attachment-actions.js";
import type { AttachedPart } from "./document-part.js";
import type { PartNames } from "./part-names.js";
import { isStructureElement } from "./structure-tree.js";

/**
 * Goes through everything that comes into the report with an attachment: gives its objects the names of the common file
 * and takes out what it would run. Every object is read, so that damage shows here. Throws `PdfFormatError`.
 */
export function prepareAttachment(file: PdfFile, part: AttachedPart, names: PartNames): void {
  for (const page of part.pages) disarmPage(file, page);
  const seen = new Set<number>();
  const waiting: PdfObject[] = part.pages.map((page) => page.reference);
  for (const key of ["Outlines", "StructTreeRoot", "OCProperties"])
    waiting.push(part.catalog.entries.get(key) ?? null);
  for (const each of [part.destinations.names, part.destinations.strings, part.labels])
    for (const value of each.values()) waiting.push(value);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (next.kind === "reference") {
      if (seen.has(next.number) || !part.has(next)) continue;
      seen.add(next.number);
      file.resolve(next); // throws for references that lead to references without end
      waiting.push(file.get(next));
    } else if (next.kind === "array") {
      for (const item of next.items) waiting.push(item);
    } else if (next.kind === "dictionary" || next.kind === "stream") {
      const dictionary = next.kind === "stream" ? next.dictionary : next;
      if (next.kind === "stream") disarmStream(dictionary);
      prepareDictionary(file, dictionary, names);
      for (const value of dictionary.entries.values()) waiting.push(value);
    }
  }
}

function prepareDictionary(file: PdfFile, dictionary: PdfDictionary, names: PartNames): void {
  const { entries } = dictionary;
  for (const key of ["StructParents", "StructParent"]) {
    const number = file.resolve(entries.get(key));
    if (typeof number !== "number") continue;
    const renumbered = names.parentKey(number);
    if (renumbered === undefined) entries.delete(key);
    else entries.set(key, renumbered);
  }
  // Whatever it says that it is: a viewer may take it for an annotation.
  disarm(file, dictionary);
  if (isStructureElement(dictionary)) renameElement(file, dictionary, names);
  else {
    renameDestination(file, dictionary, "Dest", names);
    if (isName(file.resolve(entries.get("S")), "GoTo")) renameDestination(file, dictionary, "D", names);
    if (isName(entries.get("O"), "Table")) renameHeaders(file, dictionary, names);
  }
}

function renameElement(file: PdfFile, { entries }: PdfDictionary, names: PartNames): void {
  const role = entries.get("S");
  if (isKind(role, "name")) entries.set("S", pdfName(names.role(role.name)));
  const id = file.resolve(entries.get("ID"));
  if (isKind(id, "string")) entries.set("ID", { kind: "string", bytes: names.id(id.bytes) });
  const classes = entries.get("C");
  const renamed = (object: PdfObject): PdfObject =>
    isKind(object, "name") ? pdfName(names.className(object.name)) : object;
  if (isKind(classes, "array")) entries.set("C", { kind: "array", items: classes.items.map(renamed) });
  else if (classes !== undefined) entries.set("C", renamed(classes));
}

function renameDestination(file: PdfFile, { entries }: PdfDictionary, key: string, names: PartNames): void {
  const destination = file.resolve(entries.get(key));
  if (isKind(destination, "name")) entries.set(key, pdfName(names.destinationName(destination.name)));
  if (isKind(destination, "string"))
    entries.set(key, { kind: "string", bytes: names.destinationString(destination.bytes) });
}

/** The cells of a table name their headers by id. */
function renameHeaders(file: PdfFile, { entries }: PdfDictionary, names: PartNames): void {
  const headers = file.array(entries.get("Headers"));
  if (headers === undefined) return;
  const items = headers.map((each): PdfObject => {
    const id = file.resolve(each);
    return isKind(id, "string") ? { kind: "string", bytes: names.id(id.bytes) } : each;
  });
  entries.set("Headers", { kind: "array", items });
}
