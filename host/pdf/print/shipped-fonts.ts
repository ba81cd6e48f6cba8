/** The font files that come with Slipway, so that a report looks the same on every machine. */
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

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
