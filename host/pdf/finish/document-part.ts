import {
  isKind,
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
import { destinationsOf, type NamedDestinations } from "./destinations.js";
import { checkOutline } from "./outline.js";
import { numberTreeEntries } from "./sorted-trees.js";
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
  /** Whether it says of itself that it conforms to PDF/UA-1: nobody here can tell of what others made. */
  conforming: boolean;
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
  return { ...partOf(file, catalog), conforming: saysConforming(file, catalog), has };
}

function saysConforming(file: PdfFile, catalog: PdfDictionary): boolean {
  const metadata = file.resolve(catalog.entries.get("Metadata"));
  if (!isKind(metadata, "stream") || !catalog.entries.has("StructTreeRoot")) return false;
  try {
    const packet = Buffer.from(file.content(metadata)).toString("latin1");
    return /pdfuaid:part\s*(?:>|=\s*["'])\s*1\s*[<"']/.test(packet);
  } catch (error) {
    if (error instanceof PdfFormatError) return false;
    throw error;
  }
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
