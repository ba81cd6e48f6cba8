import type { StructureElement } from "./structure-element.js";
import { kidsOf, type TaggedStructure } from "./tagged-structure.js";

/** Puts what items of lists have beside their labels into `LBody`, where PDF wants it. */
export function repairLists(structure: TaggedStructure): void {
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
