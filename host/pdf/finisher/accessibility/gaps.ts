import { headingLevel, nestings } from "../../accessibility/standard-types.js";
import type { StructureElement } from "./structure-element.js";
import { kidsOf, type TaggedStructure } from "./tagged-structure.js";

/**
 * Whether the document has what only its author can give: a text for each picture, languages that are some, headings
 * from the first level on without one left out or one below the sixth, and lists of nothing but items. The full answer
 * is that of `checkAccessibility`, which takes longer.
 */
export function hasNoGaps(structure: TaggedStructure): boolean {
  const { elements } = structure;
  return elements.every((element) => isComplete(structure, element)) && headingsAreInOrder(elements);
}

function isComplete(structure: TaggedStructure, element: StructureElement): boolean {
  const { type } = element;
  if (element.hasInvalidLanguage) return false;
  if (type === "Figure" || type === "Formula") return element.isDescribed;
  return type !== "L" || hasItemsAlone(structure, element);
}

/** Chromium takes what stands between the items of a list for its text. */
function hasItemsAlone(structure: TaggedStructure, list: StructureElement): boolean {
  return kidsOf(structure.file, list.dictionary).every((kid) => {
    const child = structure.element(kid);
    if (child?.type === "NonStruct") return hasItemsAlone(structure, child);
    return child !== undefined && nestings.get("L")?.children?.has(child.type) === true;
  });
}

function headingsAreInOrder(elements: StructureElement[]): boolean {
  let before = 0;
  for (const { type } of elements) {
    if (!type.startsWith("H")) continue;
    const level = headingLevel(type);
    if (level > before + 1 || type === "H") return false;
    if (level > 0) before = level;
  }
  return true;
}
