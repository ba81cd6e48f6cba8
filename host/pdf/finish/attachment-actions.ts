/** What a foreign document would run, open or bring along by itself. None of it comes into a report. */
import {
  isKind,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  type PdfPage,
} from "@slipway/sdk/runtime/pdf";
import { linkAddress, mayBeFollowed } from "./destinations.js";
import { isStructureElement } from "./structure-tree.js";

/** Actions that open nothing and run nothing. */
const harmless = new Set(["GoTo", "URI"]);
const actions = new Set([
  ...harmless,
  ...[
    "GoToR",
    "GoToE",
    "GoToDp",
    "Launch",
    "Thread",
    "Sound",
    "Movie",
    "Hide",
    "Named",
    "SubmitForm",
    "ResetForm",
  ],
  ...["ImportData", "JavaScript", "SetOCGState", "Rendition", "Trans", "GoTo3DView", "RichMediaExecute"],
]);
/** Keys of structure elements, whose types may have names of actions. Viewers do not run these. */
const structural = new Set(["P", "K", "SE"]);
/** Annotations that play or contain something. */
const refused = new Set([
  "FileAttachment",
  "Screen",
  "Movie",
  "Sound",
  "RichMedia",
  "3D",
  "PrinterMark",
  "TrapNet",
]);

/** Takes from a dictionary all actions but links, and all embedded files. */
export function disarm(file: PdfFile, dictionary: PdfDictionary): void {
  for (const [key, value] of dictionary.entries) {
    const kind = actionKind(file, value);
    if (kind === undefined || (structural.has(key) && isStructureElement(file.dictionary(value)))) continue;
    if (key === "A" && harmless.has(kind) && leadsSomewhere(file, value))
      file.dictionary(value)?.entries.delete("Next");
    else dictionary.entries.delete(key);
  }
  for (const key of ["EF", "RF"]) {
    const files = file.dictionary(dictionary.entries.get(key));
    if (files !== undefined && ["F", "UF", "DOS", "Mac", "Unix"].some((each) => files.entries.has(each)))
      dictionary.entries.delete(key);
  }
}

/** Takes from a stream what would be loaded from elsewhere in its place. */
export function disarmStream({ entries }: PdfDictionary): void {
  for (const key of ["F", "FFilter", "FDecodeParms", "Ref", "OPI"]) entries.delete(key);
}

/** Takes from a page what plays, contains files, or belongs to a form: fields stay as what they show. */
export function disarmPage(file: PdfFile, { dictionary }: PdfPage): void {
  dictionary.entries.delete("AA");
  const annotations = file.array(dictionary.entries.get("Annots"));
  if (annotations === undefined) return;
  const kept = annotations.filter((each) => {
    const annotation = file.dictionary(each);
    const kind = file.resolve(annotation?.entries.get("Subtype"));
    if (annotation === undefined || (isKind(kind, "name") && refused.has(kind.name))) return false;
    for (const key of ["AA", "FS"]) annotation.entries.delete(key);
    if (isKind(kind, "name") && kind.name === "Widget")
      for (const key of ["Parent", "Kids", "A", "MK"]) annotation.entries.delete(key);
    return true;
  });
  dictionary.entries.set("Annots", { kind: "array", items: kept });
}

/** Links lead to places in documents, the web and mail boxes. */
function leadsSomewhere(file: PdfFile, action: PdfObject): boolean {
  const address = linkAddress(file, action);
  return address === undefined || mayBeFollowed(address);
}

function actionKind(file: PdfFile, object: PdfObject): string | undefined {
  const kind = file.resolve(file.dictionary(object)?.entries.get("S"));
  return isKind(kind, "name") && actions.has(kind.name) ? kind.name : undefined;
}
