/** Data that applications keep in a project or an item: element `appData`. */
import type { CustomText } from "../../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { flag, writeTextGroup } from "./write-context.js";
import { attributeOf, childOf, childrenOf, flagOf, textsOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** The application that stores additional item texts. */
const textApplication = "pCon.basket";

/**
 * Application key to path ("report/templateConfig/<template>") to value: parsed JSON if the text is valid
 * JSON, otherwise the text.
 */
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

/**
 * The path of a value consists of the path, key or name attribute of each element, or else the element name.
 */
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
    // Plain text.
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

/** Writes `appData` with the additional texts of an item and the values of each application, by path. */
export function writeAppData(
  writer: XmlWriter,
  appData: Record<string, unknown> | undefined,
  customTexts: readonly CustomText[] = [],
): void {
  const applications = new Map(Object.entries(appData ?? {}));
  if (applications.size === 0 && customTexts.length === 0) return;
  if (customTexts.length > 0 && !applications.has(textApplication)) applications.set(textApplication, {});
  writer.open("appData");
  for (const [key, values] of applications) {
    writer.open("application", { key });
    if (key === textApplication) writeCustomTexts(writer, customTexts);
    const isTree = typeof values === "object" && values !== null && !Array.isArray(values);
    for (const [path, value] of isTree ? Object.entries(values) : [["value", values] as const]) {
      writer.element("data", textOfValue(value), { path });
    }
    writer.close();
  }
  writer.close();
}

/** `undefined` has no JSON form and is written as an empty text. */
function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function writeCustomTexts(writer: XmlWriter, customTexts: readonly CustomText[]): void {
  if (customTexts.length === 0) return;
  writer.open("artTextSet");
  for (const { id, visible, text } of customTexts) {
    writeTextGroup(
      writer,
      { element: "textGroup", attributes: { id, visible: flag(visible) } },
      "text",
      text,
    );
  }
  writer.close();
}
