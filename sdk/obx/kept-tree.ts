/** Kept elements inside each other, as files have them; the project document lists them with their levels. */
import type { KeptElement, KeptParts } from "../project/document.js";
import { present } from "./present.js";

/** A kept element with those inside it. */
export interface KeptTree extends Omit<KeptElement, "level"> {
  elements: KeptTree[];
}

/** The kept parts of an element, with the elements that are directly inside it. */
export interface KeptContent {
  attributes?: Readonly<Record<string, string>>;
  elements: KeptTree[];
}

/** The elements inside each other; one that skips levels is inside the one before it. */
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

/** The elements as the project document lists them. */
export function listOf(trees: readonly KeptTree[], level = 0): KeptElement[] {
  return trees.flatMap(({ elements, ...element }) => [
    level === 0 ? element : { ...element, level },
    ...listOf(elements, level + 1),
  ]);
}

// Elements of which some are read and the others are kept as they came.

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
/** Of every three prices of one type, the reader takes one; which one is seen from all of them. */
export const priceElement = "itemPrice";

/** Whether an element that is read in general is one of those that say nothing to the reader. */
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
