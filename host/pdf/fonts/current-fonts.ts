import { readdir, stat } from "node:fs/promises";
import { allFonts, type FontFolders } from "./font-files.js";
import { GlyphCoverage } from "./glyph-coverage.js";

/** The fonts of documents, and whether `slipway fonts` has changed them since they were read. */
export class CurrentFonts {
  private read = new GlyphCoverage();
  private stamp = "";

  constructor(private readonly folders: FontFolders) {}

  /** The characters that they have. */
  get coverage(): GlyphCoverage {
    return this.read;
  }

  /** Reads them. Rejects if a folder or a font cannot be read; then what was read before counts. */
  async load(): Promise<void> {
    const stamp = await stampOf(this.folders.added);
    this.read = await GlyphCoverage.of(await allFonts(this.folders));
    this.stamp = stamp;
  }

  /** Costs two calls of the system, so that each document can ask. */
  async haveChanged(): Promise<boolean> {
    return (await stampOf(this.folders.added)) !== this.stamp;
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
