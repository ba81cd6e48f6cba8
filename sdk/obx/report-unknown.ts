/** Says what stands in a file that nobody here knows. */
import { knownElements } from "./known-elements.js";
import type { ReadWarnings } from "./read-warnings.js";
import { plainName } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Adds a warning for every unknown attribute and child below `root`; what is inside an unknown child is skipped with it. */
export function reportUnknown(root: XmlElement, warnings: ReadWarnings): void {
  const waiting: XmlElement[] = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const known = knownElements.get(plainName(element.name));
    if (!known) continue;
    for (const attribute of element.attributes.keys()) {
      if (!known.attributes.has(attribute) && !known.attributes.has("*") && !isNamespace(attribute)) {
        warnings.add(`${element.path}/@${attribute}`, "skipped: this attribute is not known", element.line);
      }
    }
    if (known.opaque) continue;
    const expected: XmlElement[] = [];
    for (const child of element.children) {
      if (known.children.has(plainName(child.name))) expected.push(child);
      else warnings.add(child.path, "skipped: this element is not known", child.line);
    }
    waiting.push(...expected.reverse());
  }
}

function isNamespace(attribute: string): boolean {
  return attribute === "xmlns" || attribute.startsWith("xmlns:") || attribute.startsWith("xsi:");
}
