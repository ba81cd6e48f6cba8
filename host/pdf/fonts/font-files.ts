/** The font files that documents can use: those that come with Slipway, those that were added, those of the admin's folders. */
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isMissing } from "../../system/errors.js";

const styles = ["400Regular", "400Regular_Italic", "700Bold", "700Bold_Italic"];

/** Paths of Noto Sans in regular, italic, bold and bold italic. Throws when the package is missing. */
export function shippedFonts(): string[] {
  const folder = dirname(createRequire(import.meta.url).resolve("@expo-google-fonts/noto-sans/package.json"));
  return styles.map((style) => join(folder, style, `NotoSans_${style}.ttf`));
}

/** The folder that `slipway fonts add` fills for the host with this `var`. It may be missing. */
export function addedFontsFolder(varDirectory: string): string {
  return join(varDirectory, "fonts");
}

/** Where the fonts of documents come from, besides those that come with Slipway. */
export interface FontFolders {
  /** That of `addedFontsFolder`. */
  added: string;
  /** Those of the setting `pdf.fontFolders`, which have to be there. */
  configured: readonly string[];
}

/** All fonts that documents can use. Rejects if a configured folder cannot be read. */
export async function allFonts({ added, configured }: FontFolders): Promise<string[]> {
  const further = await Promise.all([addedFonts(added), ...configured.map(fontsBelow)]);
  return [...shippedFonts(), ...further.flat()];
}

/** What was added; empty without the folder. */
export async function addedFonts(folder: string): Promise<string[]> {
  return fontsBelow(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/**
 * The TTF, OTF and TTC files of a folder and its subfolders, sorted. Ignores names that begin with a dot, as fontconfig does.
 */
export async function fontsBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => /\.(?:ttf|otf|ttc)$/i.test(name) && !/(?:^|[\\/])\./.test(name))
    .sort()
    .map((name) => join(folder, name));
}
