/** Kept elements as a tree, as in the files; the project document lists them with their levels. */
import type { KeptElement, KeptParts } from "../../project/document.js";
import { present } from "./present.js";

/** A kept element with its children. */
export interface KeptTree extends Omit<KeptElement, "level"> {
  elements: KeptTree[];
}

/** The kept parts of an element, with its direct children. */
export interface KeptContent {
  attributes?: Readonly<Record<string, string>>;
  elements: KeptTree[];
}

/** Builds the tree; an element that skips levels becomes a child of the one before it. */
export function treeOf({ attributes, elements = [] }: KeptParts): KeptContent {
  const content: KeptContent = present({ attributes, elements: [] });
  const open: KeptTree[] = [];
  for (const { level = 0, ...element } of elements) {
    open.length = Math.min(open.length, level);
    const tree: KeptTree = { ...element, elements: [] };
    (open.at(-1) ?? content).elements.push(tree);
    open.push(tree);
  }
  return content;
}

/** Flattens the tree into the form of the project document. */
export function listOf(trees: readonly KeptTree[], level = 0): KeptElement[] {
  return trees.flatMap(({ elements, ...element }) => [
    level === 0 ? element : { ...element, level },
    ...listOf(elements, level + 1),
  ]);
}

// Elements that are partly read and otherwise kept unchanged.

type Attributes = Readonly<Record<string, string | number | undefined>>;

const readFlags = new Set(["GroupCondition", "HeaderCondition"]);
const readPackInfos = new Set([
  "width",
  "height",
  "depth",
  "volume",
  "tareWeight",
  "netWeight",
  "itemsPerPackUnit",
  "packUnitsPerArticle",
]);
/** The reader uses one of several prices of a type; it needs all of them to choose. */
export const priceElement = "itemPrice";

/** Whether an element of a kind that is read carries no information for the reader. */
export function isUnread(name: string, attributes: Attributes): boolean {
  switch (name) {
    case "condTypeFlag":
      return !readFlags.has(String(attributes["value"]));
    case "roundingMode":
      return attributes["type"] !== "default";
    case "packInfo":
      return !readPackInfos.has(String(attributes["key"]));
    default:
      return false;
  }
}
