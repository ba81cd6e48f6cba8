import {
  isName,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  pdfArray,
  pdfDictionary,
  pdfName,
} from "@slipway/sdk/runtime/pdf";
/** Value of an attribute of a cell, such as `Scope`. */
export function attributeOf(file: PdfFile, element: PdfDictionary, key: string): PdfObject | undefined {
  const value = ownerOf(file, element, key)?.entries.get(key);
  return value === undefined ? undefined : file.resolve(value);
}

/** Sets an attribute of a cell. */
export function setAttribute(file: PdfFile, element: PdfDictionary, key: string, value: PdfObject): void {
  const owner = ownerOf(file, element, key);
  if (owner !== undefined) owner.entries.set(key, value);
  else {
    const added = pdfDictionary({ O: pdfName("Table"), [key]: value });
    element.entries.set("A", pdfArray([...attributesOf(file, element), added]));
  }
}

function ownerOf(file: PdfFile, element: PdfDictionary, key: string): PdfDictionary | undefined {
  for (const each of attributesOf(file, element)) {
    const dictionary = file.dictionary(each);
    if (dictionary?.entries.has(key) && isName(dictionary.entries.get("O"), "Table")) return dictionary;
  }
  return undefined;
}

function attributesOf(file: PdfFile, { entries }: PdfDictionary): PdfObject[] {
  const attributes = entries.get("A");
  return attributes === undefined ? [] : (file.array(attributes) ?? [attributes]);
}
