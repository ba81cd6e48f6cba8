import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../../system/durable-files.js";

/** Family names in documents that stand for the shipped family. */
const aliases = ["sans-serif", "serif", "Arial", "Helvetica", "Open Sans"];

/**
 * Writes the fontconfig file that shows the browser our fonts and no others, and returns its path. Hinting is off:
 * with it some builds round the advance widths, and words move.
 */
export async function writeFontConfiguration(folder: string, fontFolders: string[]): Promise<string> {
  const folders = [...new Set([...shippedFonts().map((font) => dirname(font)), ...fontFolders])];
  const cache = resolve(folder, "font-cache");
  await makeFolder(cache);
  const path = resolve(folder, "fonts.conf");
  const temporary = join(folder, `.fonts-${process.pid}.conf`);
  await writeFile(
    temporary,
    fontConfiguration(
      folders.map((each) => resolve(each)),
      cache,
    ),
  );
  await rename(temporary, path);
  return path;
}

function fontConfiguration(folders: string[], cache: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    ...folders.map((folder) => `  <dir>${escaped(folder)}</dir>`),
    `  <cachedir>${escaped(cache)}</cachedir>`,
    ...aliases.map(
      (alias) =>
        `  <alias binding="same"><family>${alias}</family><prefer><family>Noto Sans</family></prefer></alias>`,
    ),
    '  <match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit></match>',
    "</fontconfig>",
    "",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

// The font files that come with Slipway, so that a report looks the same on every machine.

const styles = ["400Regular", "400Regular_Italic", "700Bold", "700Bold_Italic"];

/** Paths of Noto Sans in regular, italic, bold and bold italic. Throws when the package is missing. */
export function shippedFonts(): string[] {
  const folder = dirname(createRequire(import.meta.url).resolve("@expo-google-fonts/noto-sans/package.json"));
  return styles.map((style) => join(folder, style, `NotoSans_${style}.ttf`));
}

/** All fonts that documents can use: ours and those of the configured folders. */
export async function allFonts(folders: string[]): Promise<string[]> {
  const further = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true }))
        .filter((name) => /\.(ttf|otf)$/i.test(name))
        .map((name) => join(folder, name)),
    ),
  );
  return [...shippedFonts(), ...further.flat()];
}

// Which characters have a glyph in the fonts that the browser sees.

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

  /** Reads the `cmap` table of a TrueType or OpenType font (OpenType specification, formats 4 and 12). */
  private add(font: Buffer): void {
    const cmap = tableOffset(font, "cmap");
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

function tableOffset(font: Buffer, tag: string): number | undefined {
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const record = 12 + index * 16;
    if (font.toString("latin1", record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  return undefined;
}

function isInvisible(codePoint: number): boolean {
  return /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Zs}]/u.test(
    String.fromCodePoint(codePoint),
  );
}
