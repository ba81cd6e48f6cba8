import type { PdfFile } from "../pdf-file.js";
import type { PdfDictionary } from "../pdf-object.js";
import { dictionaryEntry } from "../pdf-values.js";
import { pagesOf } from "../read-pdf.js";
import { type PageContent, pageContent } from "./page-content.js";
import { pageOf, type StructureNode, type StructureTree, structureTree } from "./structure-tree.js";

/** A PDF prepared for the checks. */
export interface TaggedDocument {
  file: PdfFile;
  catalog: PdfDictionary;
  pages: DocumentPage[];
  /** Undefined if the document has no structure tree. */
  tree: StructureTree | undefined;
}

export interface DocumentPage {
  /** From 1. */
  number: number;
  dictionary: PdfDictionary;
  content: PageContent;
}

/** Throws `PdfFormatError` if the file is damaged. */
export function taggedDocument(file: PdfFile): TaggedDocument {
  const { catalog } = file;
  const pages = pagesOf(file, catalog);
  const numbers = new Map(pages.map(({ reference }, index) => [reference.number, index + 1]));
  const root = dictionaryEntry(file, catalog, "StructTreeRoot");
  return {
    file,
    catalog,
    pages: pages.map(({ dictionary }, index) => ({
      number: index + 1,
      dictionary,
      content: pageContent(file, dictionary),
    })),
    tree: root && structureTree(file, root, numbers),
  };
}

/** One violation of accessibility rules in a PDF. */
export interface AccessibilityFinding {
  /**
   * Failure condition of the Matterhorn Protocol 1.1 ("01-005"), or else the clause of ISO 14289-1.
   */
  rule: string;
  /** For template authors: the problem and its remedy. */
  message: string;
  /** From 1; absent if it concerns the whole document. */
  page?: number;
}

const shownCharacters = 60;

/** Text of a document quoted for a message: on one line, shortened. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `"${line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line}"`;
}

/** A finding for a node of the structure, with the page on which it starts. */
export function finding(rule: string, message: string, node: StructureNode): AccessibilityFinding {
  const page = pageOf(node);
  return page === undefined ? { rule, message } : { rule, message, page };
}

/** Groups values by key, keeping the order of both. */
export function grouped<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
