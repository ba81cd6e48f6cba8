import type { PDFDict, PDFDocument, PDFPage, PDFRef } from "@cantoo/pdf-lib";
import { type PageContent, pageContent } from "./page-content.js";
import { dictionaryEntry } from "./pdf-values.js";
import { type StructureTree, structureTree } from "./structure-tree.js";

/** A PDF as the checks look at it. */
export interface TaggedDocument {
  document: PDFDocument;
  catalog: PDFDict;
  pages: DocumentPage[];
  /** Undefined where the document has no structure at all. */
  tree: StructureTree | undefined;
}

export interface DocumentPage {
  /** From 1. */
  number: number;
  reference: PDFRef;
  dictionary: PDFDict;
  content: PageContent;
}

/** Reads an unencrypted PDF. Throws where it is damaged. */
export function taggedDocument(document: PDFDocument): TaggedDocument {
  const { catalog } = document;
  const pages = document.getPages().map(documentPage);
  const numbers = new Map(pages.map(({ reference, number }) => [reference, number]));
  const root = dictionaryEntry(catalog, "StructTreeRoot");
  return { document, catalog, pages, tree: root && structureTree(root, document.context, numbers) };
}

function documentPage(page: PDFPage, index: number): DocumentPage {
  return { number: index + 1, reference: page.ref, dictionary: page.node, content: pageContent(page) };
}
