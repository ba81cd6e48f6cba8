import { standardTypes } from "../../accessibility/standard-types.js";
import { type PdfDictionary, pdfDictionary, pdfName } from "../pdf-object.js";
import type { StructureElement } from "./structure-element.js";
import type { TaggedStructure } from "./tagged-structure.js";

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

/** Gives every element a type that PDF 1.7 knows, and the whole one element at its top. */
export function repairTypes(structure: TaggedStructure): void {
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

/** `<figure>` is no picture but has one, with a text of its own. */
function isGroup({ children, isDescribed }: StructureElement): boolean {
  return children.length > 0 && !isDescribed;
}
