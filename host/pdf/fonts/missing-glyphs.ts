import { type SuppressedError, suppressedError } from "@slipway/sdk";
import { scriptsOfCharacters } from "./font-scripts.js";
import type { GlyphCoverage } from "./glyph-coverage.js";

const shownCharacters = 40;
/** Enough to find every script of a document. */
const lookedAt = 1000;

/**
 * Warns of characters of a document in a language (BCP 47) that no font has, and names the command that brings fonts for them. A document with fonts
 * of its own may well have the glyphs that ours lack.
 */
export function missingGlyphs(html: string, language: string, coverage: GlyphCoverage): SuppressedError[] {
  if (/@font-face/i.test(html)) return [];
  const missing = coverage.missing(html, lookedAt);
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
