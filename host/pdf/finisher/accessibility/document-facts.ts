import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary, pdfDictionary, pdfName } from "../pdf-object.js";
import { pdfText, textOf } from "../pdf-text.js";
import { xmpPacket } from "./xmp.js";

/** What the host knows about a report. */
export interface ReportFacts {
  /** Empty for none. */
  title: string;
  /** As in `lang` of HTML; empty where nobody knows. */
  language: string;
  /** Whether all parts are tagged, so that the whole may say that it conforms to PDF/UA-1. */
  conforming: boolean;
}

/** Catalog and metadata: the title and that it is to be shown, the language, what the document conforms to. */
export function stateFacts(file: PdfFile, facts: ReportFacts): void {
  const { catalog } = file;
  const information = informationOf(file);
  const title = facts.title || textEntry(file, information, "Title");
  if (title !== "") information.entries.set("Title", pdfText(title));
  if (facts.language !== "") catalog.entries.set("Lang", pdfText(facts.language));
  const preferences = file.dictionary(catalog.entries.get("ViewerPreferences")) ?? pdfDictionary();
  preferences.entries.set("DisplayDocTitle", true);
  catalog.entries.set("ViewerPreferences", preferences);
  const packet = xmpPacket({
    title,
    language: textEntry(file, catalog, "Lang"),
    creator: textEntry(file, information, "Creator"),
    producer: textEntry(file, information, "Producer"),
    conforming: facts.conforming && title !== "" && catalog.entries.has("Lang"),
  });
  const dictionary = pdfDictionary({ Type: pdfName("Metadata"), Subtype: pdfName("XML") });
  catalog.entries.set("Metadata", file.add({ kind: "stream", dictionary, data: packet }));
}

function informationOf(file: PdfFile): PdfDictionary {
  const known = file.dictionary(file.trailer.entries.get("Info"));
  if (known !== undefined) return known;
  const made = pdfDictionary();
  file.trailer.entries.set("Info", file.add(made));
  return made;
}

function textEntry(file: PdfFile, dictionary: PdfDictionary, key: string): string {
  const value = file.resolve(dictionary.entries.get(key));
  return isKind(value, "string") ? textOf(value) : "";
}
