import { pagesOf } from "../page-tree.js";
import type { PdfFile } from "../pdf-file.js";
import { pdfDictionary } from "../pdf-object.js";
import { describeLinks } from "./link-descriptions.js";
import { repairLists } from "./lists.js";
import { markArtifacts } from "./page-artifacts.js";
import { PageContents } from "./page-contents.js";
import { repairTables } from "./tables.js";
import { TaggedStructure } from "./tagged-structure.js";
import { repairTypes } from "./types.js";

/**
 * Makes a tagged PDF of Chromium what PDF/UA-1 (ISO 14289-1) asks for, as far as the document itself allows it: texts
 * for pictures and an order of headings cannot be invented. A file without tags stays as it is. Throws `PdfFormatError` for
 * what is damaged.
 */
export async function repairAccessibility(file: PdfFile): Promise<void> {
  const structure = TaggedStructure.of(file);
  if (structure === undefined) return;
  const pages = pagesOf(file, file.catalog);
  const contents = new PageContents(file);
  describeLinks(structure, pages, contents);
  const packing = await markArtifacts(structure, pages, contents);
  repairLists(structure);
  repairTables(structure);
  repairTypes(structure);
  structure.finish();
  file.catalog.entries.set("MarkInfo", pdfDictionary({ Marked: true }));
  await packing.done();
}
