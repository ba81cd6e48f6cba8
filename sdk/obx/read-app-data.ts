/** Data that applications keep in a project or an item: element `appData`. */
import type { CustomText } from "../project/document.js";
import { textsOf } from "./localized-texts.js";
import { attributeOf, childOf, childrenOf, flagOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** The application that holds additional texts of items. */
export const textApplication = "pCon.basket";

/** Application key to path ("report/templateConfig/<template>") to value: JSON where the text is JSON, else the text. */
export function readAppData(element: XmlElement | undefined): Record<string, unknown> | undefined {
  const applications = new Map<string, Map<string, unknown>>();
  for (const application of childrenOf(element, "application")) {
    const key = attributeOf(application, "key");
    if (key === undefined) continue;
    const values = applications.get(key) ?? new Map<string, unknown>();
    for (const child of application.children) if (child.name !== "artTextSet") collect(child, [], values);
    if (application.children.length === 0 && application.text.trim() !== "")
      values.set("", valueOfText(application.text));
    if (values.size > 0) applications.set(key, values);
  }
  if (applications.size === 0) return undefined;
  return Object.fromEntries([...applications].map(([key, values]) => [key, Object.fromEntries(values)]));
}

/** The path of a value is made of the path, key or name of each element on the way, else of the element's own name. */
function collect(element: XmlElement, above: string[], values: Map<string, unknown>): void {
  const step =
    attributeOf(element, "path") ??
    attributeOf(element, "key") ??
    attributeOf(element, "name") ??
    element.name;
  const path = [...above, step];
  for (const child of element.children) collect(child, path, values);
  const text = element.text;
  if (element.children.length === 0 && text.trim() !== "") values.set(path.join("/"), valueOfText(text));
}

function valueOfText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // A text that is no JSON is meant as a text.
    return text;
  }
}

/** Additional texts of an item: groups in `artTextSet` of the application "pCon.basket". */
export function readCustomTexts(item: XmlElement): CustomText[] | undefined {
  const application = childrenOf(childOf(item, "appData"), "application").find(
    (each) => attributeOf(each, "key") === textApplication,
  );
  const groups = childrenOf(childOf(application, "artTextSet"), "textGroup");
  const texts = groups.flatMap((group) => {
    const id = attributeOf(group, "id") ?? attributeOf(group, "key");
    const text = textsOf(childrenOf(group, "text"));
    return id === undefined || text.length === 0
      ? []
      : [{ id, visible: flagOf(group, "visible") ?? true, text }];
  });
  return texts.length === 0 ? undefined : texts;
}
