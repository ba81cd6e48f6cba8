import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PdfOutlineEntry } from "./pdf-content.js";

type OutlineNode = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>[number];

/** The bookmarks of a document as a tree. */
export async function outlineOf(document: PDFDocumentProxy): Promise<PdfOutlineEntry[]> {
  // It may be null, which its type does not say.
  const outline: OutlineNode[] | null = await document.getOutline();
  return entries(document, outline ?? []);
}

/** The page that a destination means, from 1: its name, or its own form of a reference and a place. */
export async function destinationPage(
  document: PDFDocumentProxy,
  destination: unknown,
): Promise<number | undefined> {
  const place: unknown =
    typeof destination === "string" ? await document.getDestination(destination) : destination;
  const target: unknown = Array.isArray(place) ? place[0] : undefined;
  if (typeof target === "number") return target + 1;
  return isReference(target) ? (await document.getPageIndex(target)) + 1 : undefined;
}

async function entries(document: PDFDocumentProxy, nodes: OutlineNode[]): Promise<PdfOutlineEntry[]> {
  const read: PdfOutlineEntry[] = [];
  for (const { title, dest, items } of nodes) {
    const page = await destinationPage(document, dest);
    read.push({ title, page, children: await entries(document, items) });
  }
  return read;
}

function isReference(value: unknown): value is { num: number; gen: number } {
  return typeof value === "object" && value !== null && "num" in value && "gen" in value;
}
