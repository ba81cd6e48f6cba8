import type { AccessibilityFinding } from "./accessibility-finding.js";
import { pageOf, type StructureNode } from "./structure-tree.js";

/** What is wrong with a node of the structure, with the page on which it begins. */
export function finding(rule: string, message: string, node: StructureNode): AccessibilityFinding {
  const page = pageOf(node);
  return page === undefined ? { rule, message } : { rule, message, page };
}
