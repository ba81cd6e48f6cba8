/** Files attached to a document (OEX reference, section 14). */
import type { OexReference } from "../document/frames.js";
import type { DocumentType } from "../document/oex-document.js";

/** Names of the files exported beside the document. */
export interface AttachedFiles {
  pdf?: string | undefined;
  obx?: string | undefined;
}

interface Descriptions extends Record<DocumentType, string> {
  obx: string;
}

/** Shown to the recipient's user, in the language of the document. */
const descriptions = new Map<string, Descriptions>([
  ["de", { ORDERS: "Bestellung als PDF", QUOTES: "Angebot als PDF", obx: "Artikel als OBX" }],
  ["es", { ORDERS: "Pedido en PDF", QUOTES: "Oferta en PDF", obx: "Artículos en OBX" }],
  ["fr", { ORDERS: "Commande en PDF", QUOTES: "Offre en PDF", obx: "Articles en OBX" }],
  ["it", { ORDERS: "Ordine in PDF", QUOTES: "Offerta in PDF", obx: "Articoli in OBX" }],
  ["nl", { ORDERS: "Bestelling als PDF", QUOTES: "Offerte als PDF", obx: "Artikelen als OBX" }],
]);
const usual: Descriptions = { ORDERS: "Order as PDF", QUOTES: "Quotation as PDF", obx: "Articles as OBX" };

/** References to the files, described in `language` (ISO 639-1) or English. */
export function headerReferences(files: AttachedFiles, type: DocumentType, language: string): OexReference[] {
  const description = descriptions.get(language) ?? usual;
  return [
    { mediaType: "application/pdf", value: files.pdf, description: description[type] },
    { mediaType: "application/octet-stream", value: files.obx, description: description.obx },
  ].flatMap(({ value, ...reference }) =>
    value === undefined ? [] : [{ type: "ATT" as const, value, ...reference }],
  );
}
