/** The pages of a PDF in their order. */
import type { PdfFile } from "./pdf-file.js";
import {
  isKind,
  isName,
  type PdfDictionary,
  PdfFormatError,
  type PdfObject,
  type PdfReference,
} from "./pdf-object.js";

export interface PdfPage {
  reference: PdfReference;
  dictionary: PdfDictionary;
}

const inheritable = ["Resources", "MediaBox", "CropBox", "Rotate"];
const mostNodes = 200_000;

/** All pages; each has what it inherits from the tree as its own afterwards. Throws for trees that go round. */
export function pagesOf(file: PdfFile, catalog: PdfDictionary): PdfPage[] {
  const pages: PdfPage[] = [];
  const seen = new Set<PdfDictionary>();
  const waiting: { object: PdfObject; inherited: Map<string, PdfObject> }[] = [
    { object: catalog.entries.get("Pages") ?? null, inherited: new Map() },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { object } = next;
    const dictionary = file.dictionary(object);
    if (dictionary === undefined || !isKind(object, "reference"))
      throw new PdfFormatError("A page or a node of the page tree is missing.");
    if (seen.has(dictionary)) throw new PdfFormatError("The page tree goes round.");
    if (seen.size > mostNodes) throw new PdfFormatError("The page tree is too large.");
    seen.add(dictionary);
    const inherited = new Map(next.inherited);
    for (const key of inheritable) {
      const own = dictionary.entries.get(key);
      if (own !== undefined) inherited.set(key, own);
    }
    const kids = file.array(dictionary.entries.get("Kids"));
    if (kids !== undefined && !isName(file.resolve(dictionary.entries.get("Type")), "Page")) {
      for (const kid of [...kids].reverse()) waiting.push({ object: kid, inherited });
      continue;
    }
    for (const [key, value] of inherited) dictionary.entries.set(key, value);
    pages.push({ reference: object, dictionary });
  }
  return pages;
}
