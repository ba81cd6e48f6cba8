import { readdir, stat } from "node:fs/promises";
import { type SuppressedError, suppressedError } from "@slipway/sdk";
import { allFonts, type FontFolders } from "./font-files.js";
import { scriptsOfCharacters } from "./font-scripts.js";
import { GlyphCoverage } from "./glyph-coverage.js";

const shownCharacters = 40;
/** Enough to find every script of a document. */
const lookedAt = 1000;

/** The fonts of documents, and whether `slipway fonts` has changed them since they were read. */
export class CurrentFonts {
  private coverage = new GlyphCoverage();
  private stamp = "";

  constructor(private readonly folders: FontFolders) {}

  /** Reads the fonts. Rejects if a folder or a font cannot be read; then what was read before counts. */
  async load(): Promise<void> {
    const stamp = await stampOf(this.folders.added);
    this.coverage = await GlyphCoverage.of(await allFonts(this.folders));
    this.stamp = stamp;
  }

  /** Costs two calls of the system, so that each document can ask. */
  async haveChanged(): Promise<boolean> {
    return (await stampOf(this.folders.added)) !== this.stamp;
  }

  /**
   * Warns of characters that no font has, and names the command that brings fonts for them. `language`: of the document (BCP 47).
   * A document that brings fonts may have the glyphs that ours lack.
   */
  missingGlyphs(html: string, language: string): SuppressedError[] {
    if (/@font-face/i.test(html)) return [];
    const missing = this.coverage.missing(html, lookedAt);
    if (missing.length === 0) return [];
    const characters = missing.slice(0, shownCharacters);
    const scripts = scriptsOfCharacters(missing, language);
    const remedy =
      scripts.length === 0 ? "" : ` An admin can add fonts: slipway fonts add ${scripts.join(" ")}`;
    return [
      suppressedError({
        id: "font-glyph-missing",
        message: `No installed font has a glyph for: ${characters.join(" ")}. These characters are printed as boxes.${remedy}`,
        scope: "WARN",
        additionalInformation: { characters, scripts },
      }),
    ];
  }
}

/** Changes with what is in the folder of added fonts: whole folders are renamed into it and out of it. */
async function stampOf(folder: string): Promise<string> {
  try {
    const { mtimeMs } = await stat(folder);
    return JSON.stringify([mtimeMs, (await readdir(folder)).sort()]);
  } catch {
    return ""; // without the folder nothing was added
  }
}
