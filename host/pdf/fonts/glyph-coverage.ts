/** Which characters have a glyph in fonts. */
import { readFile } from "node:fs/promises";

const planes = 0x110000;

/** One bit per Unicode code point. */
export class GlyphCoverage {
  private readonly covered = new Uint8Array(planes / 8);

  static async of(fonts: string[]): Promise<GlyphCoverage> {
    const coverage = new GlyphCoverage();
    for (const font of fonts) coverage.add(await readFile(font));
    return coverage;
  }

  has(codePoint: number): boolean {
    return ((this.covered[codePoint >> 3] ?? 0) & (1 << (codePoint & 7))) !== 0;
  }

  /**
   * The characters of a document that no font can show, each once, at most `limit`. Characters that leave no mark
   * (joiners, direction marks, variation selectors) need no glyph.
   */
  missing(html: string, limit: number): string[] {
    const found = new Set<number>();
    const look = (codePoint: number): void => {
      if (codePoint > 0x7e && !this.has(codePoint) && !isInvisible(codePoint)) found.add(codePoint);
    };
    for (let index = 0; index < html.length && found.size < limit; index++) {
      if (html.charCodeAt(index) < 0x7f) continue;
      const codePoint = html.codePointAt(index) ?? 0;
      if (codePoint > 0xffff) index++;
      look(codePoint);
    }
    for (const [, hexadecimal, decimal] of html.matchAll(/&#(?:x([0-9a-f]{2,6})|([0-9]{3,7}));/gi)) {
      if (found.size >= limit) break;
      const codePoint = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      if (codePoint < planes) look(codePoint);
    }
    return [...found].map((codePoint) => String.fromCodePoint(codePoint));
  }

  /** Whether each of the characters has a glyph. */
  hasAll(characters: string): boolean {
    return Array.from(characters).every((character) => this.has(character.codePointAt(0) ?? 0));
  }

  private add(file: Buffer): void {
    for (const start of fontsOf(file)) this.addFont(file, start);
  }

  /** Reads the `cmap` table of a TrueType or OpenType font (OpenType specification, formats 4 and 12). */
  private addFont(font: Buffer, start: number): void {
    const cmap = tableOffset(font, start, "cmap");
    if (cmap === undefined) return;
    for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
      const table = cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4);
      const format = font.readUInt16BE(table);
      if (format === 4) this.addSegments(font, table);
      if (format === 12) this.addGroups(font, table);
    }
  }

  private addSegments(font: Buffer, table: number): void {
    const doubled = font.readUInt16BE(table + 6);
    for (let offset = 0; offset < doubled; offset += 2) {
      const last = font.readUInt16BE(table + 14 + offset);
      const first = font.readUInt16BE(table + 16 + doubled + offset);
      if (first !== 0xffff) this.cover(first, last);
    }
  }

  private addGroups(font: Buffer, table: number): void {
    for (let group = 0; group < font.readUInt32BE(table + 12); group++) {
      const start = table + 16 + group * 12;
      this.cover(font.readUInt32BE(start), font.readUInt32BE(start + 4));
    }
  }

  private cover(first: number, last: number): void {
    for (let codePoint = first; codePoint <= last && codePoint < planes; codePoint++) {
      this.covered[codePoint >> 3] = (this.covered[codePoint >> 3] ?? 0) | (1 << (codePoint & 7));
    }
  }
}

/** Where the fonts of a file begin: one, or those of a collection (OpenType specification, "Font Collections"). */
function fontsOf(file: Buffer): number[] {
  if (file.toString("latin1", 0, 4) !== "ttcf") return [0];
  return Array.from({ length: file.readUInt32BE(8) }, (_, index) => file.readUInt32BE(12 + index * 4));
}

function tableOffset(font: Buffer, start: number, tag: string): number | undefined {
  for (let index = 0; index < font.readUInt16BE(start + 4); index++) {
    const record = start + 12 + index * 16;
    if (font.toString("latin1", record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  return undefined;
}

function isInvisible(codePoint: number): boolean {
  return /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Zs}]/u.test(
    String.fromCodePoint(codePoint),
  );
}
