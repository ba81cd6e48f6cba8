/** Reads PDFs for hosts, which finish and check them; not part of the stable API. */
export { accessibilityFindings, checkAccessibility } from "../pdf/accessibility/check-accessibility.js";
export { standardTypes } from "../pdf/accessibility/standard-types.js";
export {
  type AccessibilityFinding,
  type TaggedDocument,
  taggedDocument,
} from "../pdf/accessibility/tagged-document.js";
export type { ArchiveFinding } from "../pdf/archive/archive-finding.js";
export { archiveFindings, checkArchive } from "../pdf/archive/check-archive.js";
export * from "../pdf/content/content-bytes.js";
export * from "../pdf/content/content-operands.js";
export * from "../pdf/content/content-operators.js";
export * from "../pdf/content/marked-content.js";
export * from "../pdf/content/unicode-map.js";
export * from "../pdf/embedded-files.js";
export * from "../pdf/object-syntax.js";
export { type ArchiveLevel, catalogClaims, claimsOf, type PdfClaims } from "../pdf/pdf-claims.js";
export * from "../pdf/pdf-file.js";
export * from "../pdf/pdf-object.js";
export * from "../pdf/pdf-parser.js";
export * from "../pdf/pdf-text.js";
export * from "../pdf/pdf-update.js";
export * from "../pdf/read-pdf.js";
export * from "../pdf/sorted-trees.js";
export * from "../pdf/stream-content.js";
export { readXmp, xmpProperty } from "../pdf/xmp.js";
export * from "../pdf/xmp-extension.js";
