import type { AccessibilityFinding } from "./accessibility-finding.js";
import { finding } from "./element-finding.js";
import { headingLevel } from "./standard-types.js";
import type { TaggedDocument } from "./tagged-document.js";

/** Headings begin with H1, leave no level out, and are numbered or not, but not both. */
export function checkHeadings({ tree }: TaggedDocument): AccessibilityFinding[] {
  const elements = tree?.elements ?? [];
  const found: AccessibilityFinding[] = [];
  let before = 0;
  for (const element of elements) {
    const level = headingLevel(element.type);
    if (level === 0) continue;
    if (before === 0 && level !== 1)
      found.push(finding("14-002", `The first heading is <h${level}>: begin with <h1>.`, element));
    else if (level > before + 1)
      found.push(
        finding(
          "14-003",
          `After <h${before}> comes <h${level}>: use <h${before + 1}>, and size it by CSS.`,
          element,
        ),
      );
    before = level;
  }
  const plain = elements.find(({ type }) => type === "H");
  if (plain !== undefined && before > 0)
    found.push(finding("14-007", "Headings with a level (H1) and without one (H) are mixed.", plain));
  const crowded = elements.find(
    ({ children }) => children.filter((child) => child.kind === "element" && child.type === "H").length > 1,
  );
  if (crowded !== undefined)
    found.push(finding("14-006", "A section has more than one heading without a level.", crowded));
  return found;
}
