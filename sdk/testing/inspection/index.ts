export { checkAccessibility } from "../../pdf/accessibility/check-accessibility.js";
export type { AccessibilityFinding } from "../../pdf/accessibility/tagged-document.js";
export type * from "./pdf-content.js";
export { readPdf } from "./read-pdf.js";
export { readXml, type XmlElement, xmlElements } from "./read-xml.js";
