/** What the form of an attachment shows, whose fields stay in the report as what they show. */
import {
  isKind,
  isName,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  type PdfPage,
  pagesOf,
} from "@slipway/sdk/runtime/pdf";

/** Whether it has a form of XML (XFA), which the pages of the PDF only stand in for (ISO 32000-1, 12.7.8). */
export function hasXfa(file: PdfFile, catalog: PdfDictionary): boolean {
  const xfa = file.resolve(formOf(file, catalog)?.entries.get("XFA"));
  return isKind(xfa, "array") || isKind(xfa, "stream");
}

/** Whether a viewer would have to draw the value of some field by itself (ISO 32000-1, 12.7.3.3). Throws `PdfFormatError`. */
export function hasUndrawnFields(file: PdfFile): boolean {
  const { catalog } = file;
  const form = formOf(file, catalog);
  if (form === undefined) return false;
  const isOutdated = file.resolve(form.entries.get("NeedAppearances")) === true;
  return isOutdated || pagesOf(file, catalog).some((page) => showsUndrawnField(file, page));
}

/** Whether a page has a field with a value that nothing shows. */
export function showsUndrawnField(file: PdfFile, { dictionary }: PdfPage): boolean {
  const annotations = file.array(dictionary.entries.get("Annots")) ?? [];
  return annotations.some((each) => {
    const widget = file.dictionary(each);
    return widget !== undefined && isUndrawn(file, widget);
  });
}

function formOf(file: PdfFile, catalog: PdfDictionary): PdfDictionary | undefined {
  return file.dictionary(catalog.entries.get("AcroForm"));
}

/** Bits of annotations: Hidden and NoView. */
const unseen = 0b100010;
/** The bit of text fields for passwords. */
const password = 1 << 13;

function isUndrawn(file: PdfFile, widget: PdfDictionary): boolean {
  if (!isName(file.resolve(widget.entries.get("Subtype")), "Widget")) return false;
  if ((wholeNumber(file.resolve(widget.entries.get("F"))) & unseen) !== 0) return false;
  const type = inherited(file, widget, "FT");
  if (!isName(type, "Tx") && !isName(type, "Ch")) return false;
  if (isName(type, "Tx") && (wholeNumber(inherited(file, widget, "Ff")) & password) !== 0) return false;
  const appearance = file.dictionary(widget.entries.get("AP"))?.entries.get("N");
  return !isKind(file.resolve(appearance), "stream") && hasText(file, inherited(file, widget, "V"));
}

function hasText(file: PdfFile, value: PdfObject): boolean {
  if (isKind(value, "string")) return value.bytes.length > 0;
  if (isKind(value, "array")) return value.items.some((item) => hasText(file, file.resolve(item)));
  return isKind(value, "stream");
}

function wholeNumber(value: PdfObject): number {
  return typeof value === "number" ? value : 0;
}

const deepestField = 50;

/** Fields inherit what they do not say from those above (ISO 32000-1, 12.7.3.1). */
function inherited(file: PdfFile, widget: PdfDictionary, key: string): PdfObject {
  let field: PdfDictionary | undefined = widget;
  for (let depth = 0; field !== undefined && depth < deepestField; depth++) {
    const value = file.resolve(field.entries.get(key));
    if (value !== null && value !== undefined) return value;
    field = file.dictionary(field.entries.get("Parent"));
  }
  return null;
}
