/** The configured properties of an article: element `features`. */
import type { Feature } from "../project/document.js";
import { textsOf } from "./localized-texts.js";
import { type ReadContext, warn } from "./read-context.js";
import { attributeOf, childOf, childrenOf, integerOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Texts that stood with an earlier feature are taken over by its id, in the attributes `nameText` and `valueText`. */
export function readFeatures(article: XmlElement, context: ReadContext): Feature[] {
  return childrenOf(childOf(article, "features"), "feature").map((element) => {
    const nameText = readText(element, "nameText", context);
    const valueText = readText(element, "valueText", context);
    const id = attributeOf(element, "id");
    if (id !== undefined) context.features.set(id, { nameText, valueText });
    return {
      name: attributeOf(element, "name") ?? "",
      value: attributeOf(element, "value") ?? "",
      nameText,
      valueText,
      visible: ((integerOf(element, "flags") ?? 1) & 1) === 1,
    };
  });
}

function readText(
  element: XmlElement,
  kind: "nameText" | "valueText",
  context: ReadContext,
): Feature["nameText"] {
  const own = textsOf(childrenOf(element, kind));
  const reference = attributeOf(element, kind);
  if (own.length > 0 || reference === undefined) return own;
  const known = context.features.get(reference);
  if (!known) warn(context, element, `the ${kind} of "${reference}" is not known before this feature`);
  return known ? [...known[kind]] : [];
}
