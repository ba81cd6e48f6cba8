import type { AccessibilityFinding } from "./accessibility-finding.js";
import { finding } from "./element-finding.js";
import { nestings } from "./standard-types.js";
import { type StructureElement, significantChildren, significantParent } from "./structure-tree.js";
import type { TaggedDocument } from "./tagged-document.js";

const advice: Record<string, string> = {
  "09-004": "build tables of <table>, <thead>, <tbody>, <tr>, <th> and <td> alone, with the caption first",
  "09-005": "let <ul> and <ol> contain <li> alone",
};

/** Tables, lists and the like consist of what they may consist of, and their parts stand nowhere else. */
export function checkNesting({ tree }: TaggedDocument): AccessibilityFinding[] {
  return (tree?.elements ?? []).flatMap((element) => [...ofElement(element)]);
}

function* ofElement(element: StructureElement): Generator<AccessibilityFinding> {
  const nesting = nestings.get(element.type);
  if (nesting === undefined) return;
  const { rule, children, content, parents } = nesting;
  const hint = advice[rule] === undefined ? "" : `: ${advice[rule]}`;
  const parent = significantParent(element)?.type ?? "the root";
  if (parents !== undefined && !parents.has(parent))
    yield finding(rule, `An element ${element.type} stands in ${parent}${hint}.`, element);
  for (const child of significantChildren(element)) {
    if (child.kind === "element" && children !== undefined && !children.has(child.type))
      yield finding(rule, `An element ${element.type} contains ${child.type}${hint}.`, child);
    if (child.kind === "content" && content === false)
      yield finding(rule, `An element ${element.type} contains text or a picture of its own${hint}.`, child);
  }
  if (element.type === "LI" && significantChildren(element).length === 0)
    yield finding(rule, "An element LI of a list is empty: leave it out.", element);
}
