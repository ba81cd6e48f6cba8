/**
 * The fonts of documents: the door of this folder.
 *
 * In: folders of fonts. Out: which scripts and characters can be printed, packages for further scripts, and the
 * configuration for the browser. Owns: the folder of added fonts.
 */
export { CurrentFonts } from "./current-fonts.js";
export { writeFontConfiguration } from "./font-configuration.js";
export * from "./font-files.js";
export * from "./font-scripts.js";
export { GlyphCoverage } from "./glyph-coverage.js";
