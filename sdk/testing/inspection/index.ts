export type * from "./pdf-content.js";
export { readArchive } from "./read-archive.js";
export { readPdf } from "./read-pdf.js";
export { readXml, type XmlElement, xmlElements } from "./read-xml.js";
