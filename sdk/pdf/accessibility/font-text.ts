import { codesOf, unicodeMap } from "../content/unicode-map.js";
import type { PdfFile } from "../pdf-file.js";
import type { PdfDictionary } from "../pdf-object.js";
import { dictionaryEntry, entry, listEntry, nameEntry, plainDictionary, streamEntry } from "../pdf-values.js";

/** Maps the codes of a font to text. */
export class FontText {
  private readonly characters: ReadonlyMap<number, string> | undefined;
  /** Bytes per code. */
  private readonly width: 1 | 2;

  constructor(
    private readonly file: PdfFile,
    readonly font: PdfDictionary,
  ) {
    const map = streamEntry(file, font, "ToUnicode");
    this.characters = map && unicodeMap(file.content(map));
    this.width = nameEntry(file, font, "Subtype") === "Type0" ? 2 : 1;
  }

  codes(bytes: Uint8Array): number[] {
    return codesOf(bytes, this.width);
  }

  /** The text of a code; undefined if the font does not define it. */
  character(code: number): string | undefined {
    const known = this.characters?.get(code);
    if (known !== undefined || this.characters !== undefined) return known;
    return this.hasNamedGlyphs() ? String.fromCharCode(code) : undefined;
  }

  /** The characters of all codes that the font defines. */
  allCharacters(): string {
    return [...(this.characters?.values() ?? [])].join("");
  }

  text(strings: Uint8Array[]): string {
    return strings
      .flatMap((bytes) => this.codes(bytes))
      .map((code) => this.character(code) ?? "\ufffd")
      .join("");
  }

  /** Whether a code maps to the glyph for missing characters. */
  isMissing(code: number): boolean {
    return (
      code === 0 &&
      this.width === 2 &&
      /^Identity-[HV]$/.test(nameEntry(this.file, this.font, "Encoding") ?? "")
    );
  }

  isEmbedded(): boolean {
    const { file, font } = this;
    if (nameEntry(file, font, "Subtype") === "Type3") return true;
    const descendant = listEntry(file, font, "DescendantFonts")[0];
    const owner = descendant === undefined ? font : file.dictionary(descendant);
    const descriptor = owner && dictionaryEntry(file, owner, "FontDescriptor");
    if (descriptor === undefined) return false;
    return ["FontFile", "FontFile2", "FontFile3"].some(
      (key) => streamEntry(file, descriptor, key) !== undefined,
    );
  }

  /** Simple fonts whose encoding names all glyphs need no ToUnicode map (ISO 14289-1, 7.21.7). */
  private hasNamedGlyphs(): boolean {
    const { file, font } = this;
    const encoding = plainDictionary(file, entry(file, font, "Encoding"));
    const base = encoding ? nameEntry(file, encoding, "BaseEncoding") : nameEntry(file, font, "Encoding");
    return this.width === 1 && base !== undefined && /^(WinAnsi|MacRoman|MacExpert)Encoding$/.test(base);
  }
}
