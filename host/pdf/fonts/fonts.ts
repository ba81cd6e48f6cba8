/** The fonts of documents: the door of this folder, for the command line. The rest of the host prints through `pdf.ts`. */
export * from "./font-files.js";
export * from "./font-scripts.js";
export { GlyphCoverage } from "./glyph-coverage.js";
