import {
  addedFonts,
  type FontFolders,
  fontScripts,
  fontsBelow,
  GlyphCoverage,
  shippedFonts,
} from "../pdf/fonts/fonts.js";
import { addedScripts } from "./added-fonts.js";

/** A script, and what prints it. */
export interface PrintableScript {
  script: string;
  printable: boolean;
  /** "Slipway", "added" or the configured folder; undefined if it cannot be printed. */
  from: string | undefined;
  /** Packages with versions, of what was added. */
  packages: string[];
  /** Of the fonts that were added. */
  bytes: number | undefined;
  /** Of the fonts that were added or come with Slipway (SPDX). */
  licence: string | undefined;
}

/** Which scripts can be printed with the fonts that there are. Rejects if a configured folder cannot be read. */
export async function printableScripts({ added, configured }: FontFolders): Promise<PrintableScript[]> {
  const sources = [
    { from: "Slipway", coverage: await GlyphCoverage.of(shippedFonts()) },
    { from: "added", coverage: await GlyphCoverage.of(await addedFonts(added)) },
  ];
  for (const folder of configured)
    sources.push({ from: folder, coverage: await GlyphCoverage.of(await fontsBelow(folder)) });
  const records = new Map((await addedScripts(added)).map((each) => [each.script, each]));
  return fontScripts.map((script) => {
    const own = records.get(script);
    const has = ({ coverage }: { coverage: GlyphCoverage }): boolean => coverage.hasAll(script.sample);
    const from = (own === undefined ? sources : sources.filter((each) => each.from === "added")).find(
      has,
    )?.from;
    return {
      script: script.name,
      printable: from !== undefined,
      from,
      packages: own?.record?.packages.map(({ name, version }) => `${name}@${version}`) ?? [],
      bytes: own?.bytes,
      licence: from === "Slipway" ? "OFL-1.1" : own?.record?.licence,
    };
  });
}
