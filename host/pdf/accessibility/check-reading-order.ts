import type { AccessibilityFinding } from "./accessibility-finding.js";
import type { StructureElement } from "./structure-tree.js";
import { pageOf } from "./structure-tree.js";
import type { TaggedDocument } from "./tagged-document.js";

/**
 * Whether what comes later in the structure also comes later in the pages. Within a page the order of painting says
 * little (backgrounds and positioned boxes), so only what begins on an earlier page than its predecessor is a finding.
 */
export function checkReadingOrder({ tree }: TaggedDocument): AccessibilityFinding[] {
  return (tree?.elements ?? []).flatMap(astray);
}

function astray(parent: StructureElement): AccessibilityFinding[] {
  let latest = 0;
  for (const child of parent.children) {
    const page = pageOf(child);
    if (page === undefined) continue;
    if (page < latest && child.kind === "element")
      return [
        {
          rule: "09-001",
          message: `An element ${child.type} stands on page ${page}, but is read after content of page ${latest}: put it where it is read.`,
          page,
        },
      ];
    latest = Math.max(latest, page);
  }
  return [];
}
