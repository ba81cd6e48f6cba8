import type { StructureElement } from "./structure-element.js";
import type { TaggedStructure } from "./tagged-structure.js";

/**
 * Whether the document has what only its author can give: a text for each picture, and headings from the first level on
 * without one left out. The full answer is that of `checkAccessibility`, which takes longer.
 */
export function hasNoGaps({ elements }: TaggedStructure): boolean {
  return (
    elements.every((each) => each.isDescribed || (each.type !== "Figure" && each.type !== "Formula")) &&
    headingsAreInOrder(elements)
  );
}

function headingsAreInOrder(elements: StructureElement[]): boolean {
  let before = 0;
  for (const { type } of elements) {
    const level = Number(/^H([1-6])$/.exec(type)?.[1] ?? 0);
    if (level > before + 1) return false;
    if (level > 0) before = level;
  }
  return true;
}
