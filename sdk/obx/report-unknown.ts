/** Says what stands in a file that nobody here knows. */
import { isOpaque, itemElements, treatmentOf } from "./format/project-format.js";
import type { ReadWarnings } from "./read-warnings.js";
import { plainName } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/**
 * Adds a warning for every unknown attribute and child below `root`; what is inside an unknown child is skipped with it.
 * Items keep what is unknown in them.
 */
export function reportUnknown(root: XmlElement, warnings: ReadWarnings): void {
  const waiting: XmlElement[] = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const name = plainName(element.name);
    if (isOpaque(name) || itemElements.has(name)) continue;
    for (const attribute of element.attributes.keys()) {
      if (treatmentOf(name, `@${attribute}`) === undefined && !isNamespace(attribute)) {
        warnings.add(`${element.path}/@${attribute}`, "skipped: this attribute is not known", element.line);
      }
    }
    const expected: XmlElement[] = [];
    for (const child of element.children) {
      if (treatmentOf(name, plainName(child.name)) !== undefined) expected.push(child);
      else warnings.add(child.path, "skipped: this element is not known", child.line);
    }
    waiting.push(...expected.reverse());
  }
}

function isNamespace(attribute: string): boolean {
  return attribute === "xmlns" || attribute.startsWith("xmlns:") || attribute.startsWith("xsi:");
}
