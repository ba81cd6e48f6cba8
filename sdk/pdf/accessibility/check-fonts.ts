import type { PdfFile } from "../pdf-file.js";
import type { PdfDictionary } from "../pdf-object.js";
import { nameEntry } from "../pdf-values.js";
import { FontText } from "./font-text.js";
import { type AccessibilityFinding, quoted, type TaggedDocument } from "./tagged-document.js";

/** Code points that must not occur in text. */
const noCharacters = ["\0", "\ufeff", "\ufffe"];

/** Standards for accessible and for archivable PDFs ask the same of fonts, so a document is looked at once for both. */
const checked = new WeakMap<TaggedDocument, AccessibilityFinding[]>();

/** Fonts of visible text: embedded, with a Unicode mapping for every code and a glyph for every character. */
export function checkFonts(document: TaggedDocument): AccessibilityFinding[] {
  const findings = checked.get(document) ?? fontFindings(document);
  checked.set(document, findings);
  return findings;
}

function fontFindings({ file, pages }: TaggedDocument): AccessibilityFinding[] {
  const found = new Map<string, AccessibilityFinding>();
  const fonts = new Map<PdfDictionary, UsedFont>();
  for (const { number, content } of pages)
    for (const { font, strings, what } of content.painted) {
      if (what !== "text" || font === undefined || strings.every(({ length }) => length === 0)) continue;
      const used = fonts.get(font) ?? new UsedFont(file, font);
      fonts.set(font, used);
      if (used.isSound(strings)) continue;
      for (const finding of used.faults(strings)) {
        const key = `${finding.rule} ${finding.message}`;
        if (!found.has(key)) found.set(key, { ...finding, page: number });
      }
    }
  return [...found.values()];
}

class UsedFont {
  private readonly text: FontText;
  private readonly isEmbedded: boolean;
  private readonly name: string;
  /** Codes already checked without findings: documents repeat a small set of codes. */
  private readonly sound = new Set<number>();

  constructor(file: PdfFile, font: PdfDictionary) {
    this.text = new FontText(file, font);
    this.isEmbedded = this.text.isEmbedded();
    const name = nameEntry(file, font, "BaseFont") ?? "without a name";
    this.name = quoted(name.replace(/^[A-Z]{6}\+/, ""));
  }

  isSound(strings: Uint8Array[]): boolean {
    return this.isEmbedded && strings.every((bytes) => this.text.codes(bytes).every(this.isSoundCode));
  }

  *faults(strings: Uint8Array[]): Generator<AccessibilityFinding> {
    const { text, name } = this;
    if (!this.isEmbedded)
      yield { rule: "31-009", message: `The font ${name} is not embedded in the document.` };
    const codes = strings.flatMap((bytes) => text.codes(bytes));
    if (codes.some((code) => text.isMissing(code)))
      yield {
        rule: "31-030",
        message: `The text ${quoted(text.text(strings))} has a character that the font ${name} lacks: change the character or the font.`,
      };
    const shown = codes.filter((code) => !text.isMissing(code)).map((code) => text.character(code));
    if (shown.includes(undefined))
      yield {
        rule: "10-001",
        message: `The text ${quoted(text.text(strings))} has characters of which the font ${name} does not tell the meaning: use another font.`,
      };
    if (shown.some((character) => noCharacters.includes(character ?? "")))
      yield {
        rule: "31-028",
        message: `The font ${name} gives a character a meaning that no text has: use another font.`,
      };
  }

  private readonly isSoundCode = (code: number): boolean => {
    if (this.sound.has(code)) return true;
    const character = this.text.character(code);
    const isSound =
      !this.text.isMissing(code) && character !== undefined && !noCharacters.includes(character);
    if (isSound) this.sound.add(code);
    return isSound;
  };
}
