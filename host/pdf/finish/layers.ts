/** Layers (optional content), which plans from CAD have: what is hidden in an attachment stays hidden. */
import type { PdfFile } from "./pdf-file.js";
import { isKind, isName, type PdfDictionary, type PdfObject, pdfArray, pdfDictionary } from "./pdf-object.js";
import { pdfText } from "./pdf-text.js";

/** The layers of all parts become those of `catalog`; of the settings of each, only what is switched off counts. */
export function joinLayers(file: PdfFile, catalog: PdfDictionary, parts: PdfDictionary[]): void {
  const layers: PdfObject[] = [];
  const off: PdfObject[] = [];
  const order: PdfObject[] = [];
  for (const part of parts) {
    const properties = file.dictionary(part.entries.get("OCProperties"));
    const settings = file.dictionary(properties?.entries.get("D"));
    const own = file.array(properties?.entries.get("OCGs")) ?? [];
    for (const each of own) layers.push(each);
    for (const each of hidden(file, own, settings)) off.push(each);
    for (const each of file.array(settings?.entries.get("Order")) ?? []) order.push(each);
  }
  if (layers.length === 0) return;
  // PDF/UA asks for a name.
  const settings = pdfDictionary({ Name: pdfText("Layers"), OFF: pdfArray(off), Order: pdfArray(order) });
  catalog.entries.set("OCProperties", pdfDictionary({ OCGs: pdfArray(layers), D: settings }));
}

function hidden(file: PdfFile, own: PdfObject[], settings: PdfDictionary | undefined): PdfObject[] {
  const off = file.array(settings?.entries.get("OFF")) ?? [];
  if (!isName(file.resolve(settings?.entries.get("BaseState")), "OFF")) return off;
  const on = new Set((file.array(settings?.entries.get("ON")) ?? []).map(numberOf));
  return own.filter((each) => !on.has(numberOf(each)));
}

function numberOf(object: PdfObject): number {
  return isKind(object, "reference") ? object.number : 0;
}
