/** Says what stands in a file that nobody here knows. */
import { isOpaque, itemElements, treatmentOf } from "./format/project-format.js";
import type { ReadWarnings } from "./read-warnings.js";
import { plainName } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** What an item states of its price; an addition to it could change the price. */
const priceParts = new Set([
  "itemPrice",
  "itemPriceComponents",
  "priceComponents",
  "predefVendorDiscount",
  "predefItemDiscount",
  "artCalc",
  "taxInfos",
]);

/**
 * Adds a warning for every unknown attribute and child below `root`; what is inside an unknown child is skipped with it.
 * Items keep what is unknown in them, and so it is told of their prices only.
 */
export function reportUnknown(root: XmlElement, warnings: ReadWarnings): void {
  const waiting: { element: XmlElement; isPrice: boolean }[] = [{ element: root, isPrice: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { element, isPrice } = next;
    const name = plainName(element.name);
    if (itemElements.has(name)) {
      const parts = element.children.filter((child) => isItemOrPrice(name, plainName(child.name)));
      waiting.push(...parts.reverse().map((part) => ({ element: part, isPrice: true })));
      continue;
    }
    if (isOpaque(name)) continue;
    const consequence = isPrice ? "has no effect on the price" : "skipped";
    for (const attribute of element.attributes.keys()) {
      if (treatmentOf(name, `@${attribute}`) === undefined && !isNamespace(attribute)) {
        const place = `${element.path}/@${attribute}`;
        warnings.add(place, `${consequence}: this attribute is not known`, element.line);
      }
    }
    const expected: XmlElement[] = [];
    for (const child of element.children) {
      if (treatmentOf(name, plainName(child.name)) !== undefined) expected.push(child);
      else warnings.add(child.path, `${consequence}: this element is not known`, child.line);
    }
    waiting.push(...expected.reverse().map((child) => ({ element: child, isPrice })));
  }
}

/** The price of a set is that of its parts. */
function isItemOrPrice(parent: string, name: string): boolean {
  return itemElements.has(name) || (parent !== "setArticle" && priceParts.has(name));
}

function isNamespace(attribute: string): boolean {
  return attribute === "xmlns" || attribute.startsWith("xmlns:") || attribute.startsWith("xsi:");
}
