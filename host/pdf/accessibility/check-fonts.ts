import type { PDFDict } from "@cantoo/pdf-lib";
import { type AccessibilityFinding, quoted } from "./accessibility-finding.js";
import { FontText } from "./font-text.js";
import { nameEntry } from "./pdf-values.js";
import type { TaggedDocument } from "./tagged-document.js";

/** Code points that no text has. */
const noCharacters = ["\0", "\ufeff", "\ufffe"];

/** Fonts of shown text: embedded, with a meaning for every code, and with a glyph for every character. */
export function checkFonts({ pages }: TaggedDocument): AccessibilityFinding[] {
  const found = new Map<string, AccessibilityFinding>();
  const fonts = new Map<PDFDict, FontText>();
  for (const { number, content } of pages)
    for (const { font, strings, what } of content.painted) {
      if (what !== "text" || font === undefined || strings.every(({ length }) => length === 0)) continue;
      const known = fonts.get(font) ?? new FontText(font);
      fonts.set(font, known);
      for (const finding of faults(known, strings)) {
        const key = `${finding.rule} ${finding.message}`;
        if (!found.has(key)) found.set(key, { ...finding, page: number });
      }
    }
  return [...found.values()];
}

function* faults(font: FontText, strings: Uint8Array[]): Generator<AccessibilityFinding> {
  const name = quoted((nameEntry(font.font, "BaseFont") ?? "without a name").replace(/^[A-Z]{6}\+/, ""));
  if (!font.isEmbedded())
    yield { rule: "31-009", message: `The font ${name} is not embedded in the document.` };
  const codes = strings.flatMap((bytes) => font.codes(bytes));
  if (codes.some((code) => font.isMissing(code)))
    yield {
      rule: "31-030",
      message: `The text ${quoted(font.text(strings))} has a character that the font ${name} lacks: change the character or the font.`,
    };
  const shown = codes.filter((code) => !font.isMissing(code)).map((code) => font.character(code));
  if (shown.includes(undefined))
    yield {
      rule: "10-001",
      message: `The text ${quoted(font.text(strings))} has characters of which the font ${name} does not tell the meaning: use another font.`,
    };
  if (shown.some((character) => noCharacters.includes(character ?? "")))
    yield {
      rule: "31-028",
      message: `The font ${name} gives a character a meaning that no text has: use another font.`,
    };
}
