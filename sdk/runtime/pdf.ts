/** How the host reads PDFs, to finish them and to check their accessibility; outside of the promise of stability. */
export { accessibilityFindings, checkAccessibility } from "../pdf/accessibility/check-accessibility.js";
export { standardTypes } from "../pdf/accessibility/standard-types.js";
export type { AccessibilityFinding } from "../pdf/accessibility/tagged-document.js";
export * from "../pdf/content/content-bytes.js";
export * from "../pdf/content/content-operands.js";
export * from "../pdf/content/content-operators.js";
export * from "../pdf/content/marked-content.js";
export * from "../pdf/content/unicode-map.js";
export * from "../pdf/pdf-file.js";
export * from "../pdf/pdf-object.js";
export * from "../pdf/pdf-parser.js";
export * from "../pdf/pdf-text.js";
export * from "../pdf/read-pdf.js";
export * from "../pdf/stream-content.js";
