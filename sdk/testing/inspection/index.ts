export type * from "./pdf-content.js";
export { readPdf } from "./read-pdf.js";
export { readXml, type XmlElement, xmlElements } from "./read-xml.js";
