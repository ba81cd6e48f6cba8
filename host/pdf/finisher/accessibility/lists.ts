import { kidsOf, type TaggedStructure } from "./tagged-structure.js";

/** Puts what items of lists have beside their labels into `LBody`, where PDF wants it. */
export function repairLists(structure: TaggedStructure): void {
  for (const item of structure.elements) {
    if (item.type !== "LI") continue;
    const bodies = kidsOf(structure.file, item.dictionary).filter((kid) => {
      const child = structure.element(kid);
      return child === undefined || !["Lbl", "LBody"].includes(child.type);
    });
    if (bodies.length > 0) structure.wrap(item, "LBody", bodies);
  }
}
