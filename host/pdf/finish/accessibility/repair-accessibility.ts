import {
  type PdfDictionary,
  type PdfFile,
  pagesOf,
  pdfDictionary,
  pdfName,
  standardTypes,
} from "@slipway/sdk/runtime/pdf";
import { describeLinks } from "./link-descriptions.js";
import { markArtifacts } from "./page-artifacts.js";
import { PageContents } from "./page-contents.js";
import type { StructureElement } from "./structure-element.js";
import { repairTables } from "./tables.js";
import { kidsOf, TaggedStructure } from "./tagged-structure.js";

/** Types of PDF 2.0 that Chromium writes into a PDF of an earlier version. */
const roles = new Map([
  ["Strong", "Span"],
  ["Em", "Span"],
  ["Sub", "Span"],
  ["Aside", "Div"],
  ["Title", "P"],
  ["FENote", "Div"],
  ["DocumentFragment", "Part"],
]);

/**
 * Makes a tagged PDF of Chromium what PDF/UA-1 (ISO 14289-1) asks for, as far as the document itself allows it: texts
 * for pictures and an order of headings cannot be invented. A file without tags stays as it is. Throws `PdfFormatError` for
 * what is damaged.
 */
export function repairAccessibility(file: PdfFile): void {
  const structure = TaggedStructure.of(file);
  if (structure === undefined) return;
  const pages = pagesOf(file, file.catalog);
  const contents = new PageContents(file);
  describeLinks(structure, pages, contents);
  markArtifacts(structure, pages, contents);
  repairLists(structure);
  repairTables(structure);
  repairTypes(structure);
  structure.finish();
  file.catalog.entries.set("MarkInfo", pdfDictionary({ Marked: true }));
}

/** Puts what items of lists have beside their labels into `LBody`, where PDF wants it. */
function repairLists(structure: TaggedStructure): void {
  for (const item of structure.elements) {
    if (item.type !== "LI") continue;
    const group = onlyGroup(item);
    if (group !== undefined) group.type = "LBody";
    else wrapBody(structure, item);
  }
}

/** The one element that Chromium usually makes of all text of an item, which can as well be its body. */
function onlyGroup(item: StructureElement): StructureElement | undefined {
  const [group, ...more] = item.children.filter(isBody);
  return !item.hasContent && more.length === 0 && group?.type === "NonStruct" ? group : undefined;
}

function wrapBody(structure: TaggedStructure, item: StructureElement): void {
  const bodies = kidsOf(structure.file, item.dictionary).filter((kid) => {
    const child = structure.element(kid);
    return child === undefined || isBody(child);
  });
  if (bodies.length > 0) structure.wrap(item, "LBody", bodies);
}

function isBody({ type }: StructureElement): boolean {
  return type !== "Lbl" && type !== "LBody";
}

/** Gives every element a type that PDF 1.7 knows, and the whole one element at its top. */
function repairTypes(structure: TaggedStructure): void {
  const map = roleMap(structure);
  for (const element of structure.elements) {
    const type = element.type;
    if (type === "Figure" && isGroup(element)) element.type = "Div";
    else if (!standardTypes.has(type) && !map.entries.has(type))
      map.entries.set(type, pdfName(roles.get(type) ?? "NonStruct"));
  }
  if (map.entries.size > 0) structure.root.entries.set("RoleMap", map);
  const tops = structure.elements.filter(({ parent }) => parent === undefined);
  if (tops.length === 1 && tops[0] !== undefined && tops[0].type === "Document") return;
  for (const top of tops) if (top.type === "Document") top.type = "Part";
  structure.wrapAll("Document");
}

function roleMap({ file, root }: TaggedStructure): PdfDictionary {
  return file.dictionary(root.entries.get("RoleMap")) ?? pdfDictionary();
}

/** `<figure>` is not a picture but contains one, which has its own text. */
function isGroup({ children, isDescribed }: StructureElement): boolean {
  return children.length > 0 && !isDescribed;
}
