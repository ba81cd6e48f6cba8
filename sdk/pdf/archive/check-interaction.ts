/** Annotations, forms, and actions that the document has or runs. */
import type { TaggedDocument } from "../accessibility/tagged-document.js";
import type { PdfFile } from "../pdf-file.js";
import type { PdfDictionary, PdfObject } from "../pdf-object.js";
import {
  dictionaryEntry,
  entry,
  flagEntry,
  listEntry,
  nameEntry,
  numberEntry,
  plainDictionary,
} from "../pdf-values.js";
import type { ArchiveFinding } from "./archive-finding.js";

const annotationTypes = new Set(
  (
    "Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup " +
    "FileAttachment Widget PrinterMark TrapNet Watermark Redact"
  ).split(" "),
);
const actionTypes = new Set(["GoTo", "GoToR", "GoToE", "Thread", "URI", "Named", "SubmitForm"]);
const namedActions = new Set(["NextPage", "PrevPage", "FirstPage", "LastPage"]);
const permissions = new Set(["UR3", "DocMDP"]);

const flags = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 };

export function* checkInteraction(document: TaggedDocument): Generator<ArchiveFinding> {
  const { file, catalog, pages } = document;
  yield* ofCatalog(file, catalog);
  for (const { dictionary, number } of pages) {
    if (dictionary.entries.has("AA"))
      yield { rule: "6.5.2", message: "The page runs actions by itself (AA).", page: number };
    for (const each of listEntry(file, dictionary, "Annots")) {
      const annotation = file.dictionary(each);
      if (annotation === undefined) continue;
      for (const finding of ofAnnotation(file, annotation)) yield { ...finding, page: number };
    }
  }
}

function* ofCatalog(file: PdfFile, catalog: PdfDictionary): Generator<ArchiveFinding> {
  if (catalog.entries.has("AA"))
    yield { rule: "6.5.2", message: "The document runs actions by itself (AA)." };
  yield* ofActions(file, catalog.entries.get("OpenAction"), 0);
  const names = dictionaryEntry(file, catalog, "Names");
  if (names?.entries.has("JavaScript")) yield { rule: "6.5.1", message: "The document has scripts." };
  const form = dictionaryEntry(file, catalog, "AcroForm");
  if (form !== undefined && flagEntry(file, form, "NeedAppearances") === true)
    yield { rule: "6.4.1", message: "The form leaves its appearance to readers (NeedAppearances)." };
  if (form?.entries.has("XFA")) yield { rule: "6.4.2", message: "The document has an XFA form." };
  if (catalog.entries.has("NeedsRendering"))
    yield { rule: "6.4.2", message: "The document has to be rendered first (NeedsRendering)." };
  for (const key of dictionaryEntry(file, catalog, "Perms")?.entries.keys() ?? [])
    if (!permissions.has(key))
      yield { rule: "6.1.12", message: `The document has the permission ${key}: expected UR3 or DocMDP.` };
}

function* ofAnnotation(file: PdfFile, annotation: PdfDictionary): Generator<ArchiveFinding> {
  const type = nameEntry(file, annotation, "Subtype") ?? "without a name";
  if (!annotationTypes.has(type))
    yield { rule: "6.3.1", message: `An annotation has the type ${type}, which may not be archived.` };
  const set = numberEntry(file, annotation, "F");
  if (type !== "Popup") {
    if (set === undefined) yield { rule: "6.3.2", message: `An annotation ${type} has no flags (F).` };
    else {
      if ((set & flags.print) === 0)
        yield { rule: "6.3.2", message: `An annotation ${type} is not printed: expected its flag Print.` };
      if ((set & (flags.invisible | flags.hidden | flags.noView | flags.toggleNoView)) !== 0)
        yield { rule: "6.3.2", message: `An annotation ${type} is hidden.` };
    }
  }
  const area = listEntry(file, annotation, "Rect").map((each) => file.resolve(each));
  const isEmpty = area[0] === area[2] && area[1] === area[3];
  const appearance = dictionaryEntry(file, annotation, "AP");
  if (type !== "Popup" && type !== "Link" && !isEmpty && appearance === undefined)
    yield { rule: "6.3.3", message: `An annotation ${type} has no appearance.` };
  for (const key of appearance?.entries.keys() ?? [])
    if (key !== "N")
      yield { rule: "6.3.3", message: `An annotation ${type} has the appearance ${key} beside N.` };
  if (type === "Widget" && (annotation.entries.has("A") || annotation.entries.has("AA")))
    yield { rule: "6.4.1", message: "A field of a form runs actions." };
  else if (annotation.entries.has("AA"))
    yield { rule: "6.5.2", message: `An annotation ${type} runs actions by itself (AA).` };
  yield* ofActions(file, annotation.entries.get("A"), 0);
}

const longestChain = 100;

function* ofActions(file: PdfFile, object: PdfObject | undefined, length: number): Generator<ArchiveFinding> {
  const action = plainDictionary(file, object);
  if (action === undefined || length > longestChain) return;
  const type = nameEntry(file, action, "S") ?? "without a name";
  if (!actionTypes.has(type))
    yield { rule: "6.5.1", message: `An action has the type ${type}, which may not be archived.` };
  const name = nameEntry(file, action, "N") ?? "";
  if (type === "Named" && !namedActions.has(name))
    yield { rule: "6.5.1", message: `The named action ${name} may not be archived.` };
  if (entry(file, action, "Next") === undefined) return;
  for (const next of listEntry(file, action, "Next")) yield* ofActions(file, next, length + 1);
}
