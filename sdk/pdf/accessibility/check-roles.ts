import { dictionaryEntry, nameEntry } from "./pdf-values.js";
import { standardTypes } from "./standard-types.js";
import { pageOf } from "./structure-tree.js";
import type { AccessibilityFinding, TaggedDocument } from "./tagged-document.js";

/** Types of elements: standard ones, or mapped to such. */
export function checkRoles({ file, tree }: TaggedDocument): AccessibilityFinding[] {
  if (tree === undefined) return [];
  const found: AccessibilityFinding[] = [];
  const map = dictionaryEntry(file, tree.root, "RoleMap");
  for (const written of tree.roles.keys()) {
    const target = map && nameEntry(file, map, written);
    if (standardTypes.has(written) && target !== written)
      found.push({
        rule: "02-004",
        message: `The standard type ${written} is mapped to another one, ${target}.`,
      });
  }
  const unknown = new Map<string, number | undefined>();
  for (const element of tree.elements)
    if (!standardTypes.has(element.type) && !unknown.has(element.written))
      unknown.set(element.written, pageOf(element));
  for (const [written, page] of unknown) {
    const circular =
      tree.roles.has(written) &&
      map !== undefined &&
      goesRound(written, (type) => nameEntry(file, map, type));
    found.push({
      rule: circular ? "02-003" : "02-001",
      message: circular
        ? `The mapping of the type ${written} goes round in a circle.`
        : `An element has the type ${written}, which is no standard type and is mapped to none: use another HTML element.`,
      ...(page !== undefined && { page }),
    });
  }
  return found;
}

function goesRound(type: string, next: (type: string) => string | undefined): boolean {
  const passed = new Set<string>();
  let current: string | undefined = type;
  while (current !== undefined && !passed.has(current)) {
    passed.add(current);
    current = next(current);
  }
  return current !== undefined;
}
