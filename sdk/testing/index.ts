/** The test kit: runs a plugin in memory, without a server, under any test runner. */
export { checkAccessibility } from "../pdf/accessibility/check-accessibility.js";
export type { AccessibilityFinding } from "../pdf/accessibility/tagged-document.js";
export type { ArchiveFinding } from "../pdf/archive/archive-finding.js";
export { checkArchive } from "../pdf/archive/check-archive.js";
export * from "./create-test-host.js";
export type * from "./inspection/pdf-content.js";
export { readPdf } from "./inspection/read-pdf.js";
export { readXml, type XmlElement, xmlElements } from "./inspection/read-xml.js";
export { readArchive } from "./memory/content-file.js";
export {
  type ChromiumPrinter,
  type ChromiumPrinterOptions,
  chromiumPrinter,
} from "./printing/chromium-printer.js";
export { id, type PriceDescription, type TextDescription } from "./projects/described-values.js";
export * from "./projects/hostile-projects.js";
export * from "./projects/office-projects.js";
export * from "./projects/png-picture.js";
export * from "./projects/price-projects.js";
export type * from "./projects/project-description.js";
export * from "./projects/project-of.js";
export * from "./test-answer.js";
export * from "./test-host.js";
