/** Page labels: what viewers show instead of the plain number of a page. */
import type { DocumentPart } from "./document-part.js";
import type { PdfFile } from "./pdf-file.js";
import { type PdfDictionary, type PdfObject, pdfDictionary, pdfName } from "./pdf-object.js";
import { addNumberTree } from "./sorted-trees.js";

/** Each part keeps its labels; the pages of a part without any count through the whole document. */
export function joinPageLabels(file: PdfFile, catalog: PdfDictionary, parts: DocumentPart[]): void {
  if (parts.every((part) => part.labels.size === 0)) return;
  const labels = new Map<number, PdfObject>();
  let start = 0;
  for (const part of parts) {
    labels.set(start, pdfDictionary({ S: pdfName("D"), St: start + 1 }));
    for (const [page, label] of part.labels) if (page < part.pages.length) labels.set(start + page, label);
    start += part.pages.length;
  }
  catalog.entries.set("PageLabels", addNumberTree(file, labels));
}
