import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary } from "../pdf-object.js";
import { dictionaryEntry, entry, listEntry, nameEntry, numberEntry, textEntry } from "../pdf-values.js";
import type { ArchiveFinding } from "./archive-finding.js";

const fontTypes = new Set(["Type0", "Type1", "MMType1", "Type3", "TrueType"]);

/** What the dictionaries of a font lack; the programs within fonts are not read. */
export function* checkFont(file: PdfFile, font: PdfDictionary): Generator<ArchiveFinding> {
  const type = nameEntry(file, font, "Subtype") ?? "";
  const name = nameEntry(file, font, "BaseFont");
  const shown = JSON.stringify((name ?? "without a name").replace(/^[A-Z]{6}\+/, ""));
  if (!fontTypes.has(type))
    yield { rule: "6.2.11.2", message: `The font ${shown} has the type ${type}, which there is not.` };
  if (type !== "Type3" && name === undefined) yield { rule: "6.2.11.2", message: "A font has no BaseFont." };
  if (type === "Type0") yield* composite(file, font, shown);
  else if (type !== "Type3" && listEntry(file, font, "Widths").length === 0)
    yield { rule: "6.2.11.2", message: `The font ${shown} does not tell the widths of its glyphs (Widths).` };
}

function* composite(file: PdfFile, font: PdfDictionary, shown: string): Generator<ArchiveFinding> {
  const descendant = file.dictionary(listEntry(file, font, "DescendantFonts")[0]);
  if (descendant === undefined) {
    yield { rule: "6.2.11.2", message: `The font ${shown} has no descendant.` };
    return;
  }
  const encoding = nameEntry(file, font, "Encoding");
  const isIdentity = encoding === "Identity-H" || encoding === "Identity-V";
  if (!isIdentity && !isKind(entry(file, font, "Encoding"), "stream"))
    yield {
      rule: "6.2.11.3.3",
      message: `The font ${shown} has the encoding ${encoding}: expected Identity-H, Identity-V or one that is embedded.`,
    };
  const system = dictionaryEntry(file, descendant, "CIDSystemInfo");
  if (
    system === undefined ||
    textEntry(file, system, "Registry") === undefined ||
    textEntry(file, system, "Ordering") === undefined ||
    numberEntry(file, system, "Supplement") === undefined
  )
    yield { rule: "6.2.11.3.1", message: `The font ${shown} has no complete CIDSystemInfo.` };
  if (nameEntry(file, descendant, "Subtype") !== "CIDFontType2") return;
  const map = entry(file, descendant, "CIDToGIDMap");
  const isMapped = isKind(map, "stream") || nameEntry(file, descendant, "CIDToGIDMap") === "Identity";
  if (!isMapped)
    yield {
      rule: "6.2.11.3.2",
      message: `The font ${shown} does not tell its glyphs: expected CIDToGIDMap, Identity or a stream.`,
    };
}
