import { internalDomain } from "../../print/internal-domain.js";
import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary, pdfDictionary, pdfName } from "../pdf-object.js";
import { textOf } from "../pdf-text.js";
import { xmpPacket } from "./xmp.js";

/**
 * Catalog and metadata: that the title is to be shown, and in XMP what the document says of itself elsewhere.
 * `conforming`: whether it says that it conforms to PDF/UA-1. Called again, it says it anew.
 */
export function stateFacts(file: PdfFile, conforming: boolean): void {
  const { catalog } = file;
  const information = informationOf(file);
  const title = titleOf(file, information);
  const language = textEntry(file, catalog, "Lang");
  const preferences = file.dictionary(catalog.entries.get("ViewerPreferences")) ?? pdfDictionary();
  preferences.entries.set("DisplayDocTitle", true);
  catalog.entries.set("ViewerPreferences", preferences);
  const packet = xmpPacket({
    title,
    language,
    creator: textEntry(file, information, "Creator"),
    producer: textEntry(file, information, "Producer"),
    conforming,
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

/** A full Chromium gives a document that has no title the address which it was loaded from. */
function titleOf(file: PdfFile, information: PdfDictionary): string {
  const title = textEntry(file, information, "Title");
  if (!title.includes(internalDomain)) return title;
  information.entries.delete("Title");
  return "";
}

function textEntry(file: PdfFile, dictionary: PdfDictionary, key: string): string {
  const value = file.resolve(dictionary.entries.get(key));
  return isKind(value, "string") ? textOf(value) : "";
}
