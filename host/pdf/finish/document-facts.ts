import {
  type ArchiveLevel,
  isKind,
  type PdfDictionary,
  type PdfFile,
  pdfDictionary,
  pdfName,
  textOf,
} from "@slipway/sdk/runtime/pdf";
import { internalDomain } from "../pdf-service.js";
import { stateOutputIntent } from "./output-intent.js";
import { xmpPacket } from "./xmp-packet.js";

/** What a document says of itself. */
export interface Claims {
  /** It conforms to PDF/UA-1. */
  accessible: boolean;
  /** The level of PDF/A-3 that it conforms to, if any. */
  archive: ArchiveLevel | undefined;
}

/**
 * Catalog and metadata: that the title is to be shown, what colours mean, and in XMP what the document says of itself
 * elsewhere, with its claims. Called again, it says it anew.
 */
export function stateFacts(file: PdfFile, claims: Claims): void {
  const { catalog } = file;
  const information = informationOf(file);
  const preferences = file.dictionary(catalog.entries.get("ViewerPreferences")) ?? pdfDictionary();
  preferences.entries.set("DisplayDocTitle", true);
  catalog.entries.set("ViewerPreferences", preferences);
  stateOutputIntent(file, claims.archive !== undefined);
  const packet = xmpPacket({
    title: titleOf(file, information),
    language: textEntry(file, catalog, "Lang"),
    creator: textEntry(file, information, "Creator"),
    producer: textEntry(file, information, "Producer"),
    created: isoDate(textEntry(file, information, "CreationDate")),
    modified: isoDate(textEntry(file, information, "ModDate")),
    claims,
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

/** A date of PDF (ISO 32000-1, 7.9.4) as XMP writes it; "" for anything else. */
function isoDate(date: string): string {
  const parts = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'(\d\d)'?)?/.exec(date);
  if (parts === null) return "";
  const [, year, month, day, hour, minute, second, zoneHours, zoneMinutes] = parts;
  const zone = zoneHours === undefined ? "Z" : `${zoneHours}:${zoneMinutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}
