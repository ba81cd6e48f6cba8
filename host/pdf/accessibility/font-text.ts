import { PDFDict } from "@cantoo/pdf-lib";
import { decoded, dictionaryOf, entry, listEntry, nameEntry, streamEntry } from "./pdf-values.js";
import { codesOf, unicodeMap } from "./unicode-map.js";

/** What the codes of a font mean. */
export class FontText {
  private readonly characters: ReadonlyMap<number, string> | undefined;
  /** Bytes of a code. */
  private readonly width: 1 | 2;

  constructor(readonly font: PDFDict) {
    const map = streamEntry(font, "ToUnicode");
    this.characters = map && unicodeMap(decoded(map));
    this.width = nameEntry(font, "Subtype") === "Type0" ? 2 : 1;
  }

  codes(bytes: Uint8Array): number[] {
    return codesOf(bytes, this.width);
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
