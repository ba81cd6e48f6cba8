import {
  catalogClaims,
  numberTreeEntries,
  type PdfDictionary,
  type PdfFile,
  PdfFormatError,
  type PdfObject,
  type PdfPage,
  type PdfReference,
  pagesOf,
  pdfArray,
  pdfDictionary,
  pdfName,
} from "@slipway/sdk/runtime/pdf";
import type { Claims } from "./claims.js";
import { destinationsOf, type NamedDestinations } from "./destinations.js";
import { checkOutline } from "./outline.js";
import { type StructureTree, structureTreeOf } from "./structure-tree.js";

/** One of the documents that become one: the report or an attachment, with its objects in the common file. */
export interface DocumentPart {
  catalog: PdfDictionary;
  pages: PdfPage[];
  tree: StructureTree | undefined;
  destinations: NamedDestinations;
  /** Labels by the index of the page from which they count. */
  labels: Map<number, PdfObject>;
}

/** An attachment, whose objects are known from those of other parts. */
export interface AttachedPart extends DocumentPart {
  /** Its own claims: the host does not check documents of others. */
  claims: Claims;
  has(reference: PdfReference): boolean;
}

/** The report, whose file becomes the common one. Throws `PdfFormatError` if it cannot be used. */
export function reportPart(file: PdfFile): DocumentPart {
  return partOf(file, file.catalog);
}

/** Takes an attachment over into the common file. Throws `PdfFormatError` if it cannot be used. */
export function adoptPart(file: PdfFile, attachment: PdfFile): AttachedPart {
  const { trailer, has } = file.adopt(attachment);
  const catalog = file.dictionary(trailer.entries.get("Root"));
  if (catalog === undefined) throw new PdfFormatError("The file has no catalog.");
  return { ...partOf(file, catalog), claims: partClaims(file, catalog), has };
}

/** Claims of other parts of PDF/A than the first three cannot be those of a whole that conforms to the third. */
function partClaims(file: PdfFile, catalog: PdfDictionary): Claims {
  const { accessible, archive, part } = catalogClaims(file, catalog);
  return {
    accessible: accessible && catalog.entries.has("StructTreeRoot"),
    archive: /^[123]$/.test(part ?? "") ? archive : undefined,
  };
}

function partOf(file: PdfFile, catalog: PdfDictionary): DocumentPart {
  checkOutline(file, catalog);
  return {
    catalog,
    pages: pagesOf(file, catalog),
    tree: structureTreeOf(file, catalog),
    destinations: destinationsOf(file, catalog),
    labels: numberTreeEntries(file, catalog.entries.get("PageLabels")),
  };
}

/** Makes these the pages of the catalog. */
export function setPages(file: PdfFile, catalog: PdfDictionary, pages: PdfPage[]): void {
  const root = file.add(
    pdfDictionary({
      Type: pdfName("Pages"),
      Count: pages.length,
      Kids: pdfArray(pages.map((page) => page.reference)),
    }),
  );
  for (const { dictionary } of pages) dictionary.entries.set("Parent", root);
  catalog.entries.set("Pages", root);
}
