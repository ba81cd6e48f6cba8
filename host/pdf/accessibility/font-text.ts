import { PDFDict, type PDFRawStream } from "@cantoo/pdf-lib";
import { type ContentOperand, contentOperands } from "./content-operands.js";
import { ContentOperators } from "./content-operators.js";
import { decoded, dictionaryOf, entry, listEntry, nameEntry, streamEntry } from "./pdf-values.js";

/** More codes than this has no font. */
const codes = 0x10000;

/** What the codes of a font mean. */
export class FontText {
  private readonly characters: ReadonlyMap<number, string> | undefined;
  /** Bytes of a code. */
  private readonly width: 1 | 2;

  constructor(readonly font: PDFDict) {
    const map = streamEntry(font, "ToUnicode");
    this.characters = map && unicodeMap(map);
    this.width = nameEntry(font, "Subtype") === "Type0" ? 2 : 1;
  }

  codes(bytes: Uint8Array): number[] {
    const codes: number[] = [];
    for (let at = 0; at < bytes.length; at += this.width)
      codes.push(this.width === 1 ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
    return codes;
  }

  /** What a code means; undefined where the font does not tell. */
  character(code: number): string | undefined {
    const known = this.characters?.get(code);
    if (known !== undefined || this.characters !== undefined) return known;
    return this.hasNamedGlyphs() ? String.fromCharCode(code) : undefined;
  }

  text(strings: Uint8Array[]): string {
    return strings
      .flatMap((bytes) => this.codes(bytes))
      .map((code) => this.character(code) ?? "\ufffd")
      .join("");
  }

  /** Whether the glyph of a code is the one that stands for missing ones. */
  isMissing(code: number): boolean {
    return code === 0 && this.width === 2 && /^Identity-[HV]$/.test(nameEntry(this.font, "Encoding") ?? "");
  }

  isEmbedded(): boolean {
    if (nameEntry(this.font, "Subtype") === "Type3") return true;
    const descendant = listEntry(this.font, "DescendantFonts")[0];
    const owner = descendant === undefined ? this.font : dictionaryOf(this.font.context.lookup(descendant));
    const descriptor = owner && dictionaryOf(entry(owner, "FontDescriptor"));
    if (descriptor === undefined) return false;
    return ["FontFile", "FontFile2", "FontFile3"].some((key) => streamEntry(descriptor, key) !== undefined);
  }

  /** Simple fonts whose encoding names each glyph need no map (ISO 14289-1, 7.21.7). */
  private hasNamedGlyphs(): boolean {
    const encoding = entry(this.font, "Encoding");
    const base =
      encoding instanceof PDFDict ? nameEntry(encoding, "BaseEncoding") : nameEntry(this.font, "Encoding");
    return this.width === 1 && base !== undefined && /^(WinAnsi|MacRoman|MacExpert)Encoding$/.test(base);
  }
}

/** Characters by code, from the `bfchar` and `bfrange` of a ToUnicode map (ISO 32000-1, 9.10.3). */
function unicodeMap(stream: PDFRawStream): Map<number, string> {
  const characters = new Map<number, string>();
  const bytes = decoded(stream);
  const operators = new ContentOperators(bytes);
  while (operators.next()) {
    const operands = contentOperands(bytes, operators.operands, operators.start);
    if (operators.operator === "endbfchar")
      for (let index = 0; index + 1 < operands.length; index += 2)
        addRange(characters, operands[index], operands[index], operands[index + 1]);
    if (operators.operator === "endbfrange")
      for (let index = 0; index + 2 < operands.length; index += 3)
        addRange(characters, operands[index], operands[index + 1], operands[index + 2]);
  }
  return characters;
}

function addRange(
  characters: Map<number, string>,
  first: ContentOperand | undefined,
  last: ContentOperand | undefined,
  texts: ContentOperand | undefined,
): void {
  if (!(first instanceof Uint8Array && last instanceof Uint8Array)) return;
  const start = numberOf(first);
  const count = Math.min(numberOf(last) - start + 1, codes);
  for (let index = 0; index < count; index++) {
    const text = Array.isArray(texts) ? texts[index] : texts;
    if (text instanceof Uint8Array)
      characters.set(start + index, textOf(text, Array.isArray(texts) ? 0 : index));
  }
}

function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

/** UTF-16; `added` is added to the last unit. */
function textOf(bytes: Uint8Array, added: number): string {
  const units: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) units.push(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
  if (units.length > 0) units.push((units.pop() ?? 0) + added);
  return String.fromCharCode(...units);
}
