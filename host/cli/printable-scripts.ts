import {
  addedFonts,
  type FontFolders,
  fontScripts,
  fontsBelow,
  GlyphCoverage,
  shippedFonts,
} from "../pdf/fonts/fonts.js";
import { addedScripts } from "./added-fonts.js";

/** A script and its fonts. */
export interface PrintableScript {
  script: string;
  printable: boolean;
  /** "Slipway", "added" or the configured folder; undefined if it cannot be printed. */
  from: string | undefined;
  /** Packages of the added fonts, with versions. */
  packages: string[];
  /** Of the added fonts. */
  bytes: number | undefined;
  /** SPDX id of the added fonts or of those that come with Slipway. */
  licence: string | undefined;
}

/** Which scripts the available fonts can print. Rejects if a configured folder cannot be read. */
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
