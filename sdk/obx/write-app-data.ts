/** Data of applications: element `appData`. */
import type { CustomText } from "../project/document.js";
import { textApplication } from "./read-app-data.js";
import { writeTexts } from "./write-texts.js";
import { append, type Builder, flag } from "./xml-writing.js";

/** Appends `appData` with the additional texts of an item and the values of each application, by path. */
export function writeAppData(
  parent: Builder,
  appData: Record<string, unknown> | undefined,
  customTexts: readonly CustomText[] = [],
): void {
  const applications = new Map(Object.entries(appData ?? {}));
  if (applications.size === 0 && customTexts.length === 0) return;
  if (customTexts.length > 0 && !applications.has(textApplication)) applications.set(textApplication, {});
  const element = append(parent, "appData");
  for (const [key, values] of applications) {
    const application = append(element, "application", { key });
    if (key === textApplication) writeCustomTexts(application, customTexts);
    const isTree = typeof values === "object" && values !== null && !Array.isArray(values);
    for (const [path, value] of isTree ? Object.entries(values) : [["value", values] as const]) {
      append(application, "data", { path }, typeof value === "string" ? value : JSON.stringify(value));
    }
  }
}

function writeCustomTexts(application: Builder, customTexts: readonly CustomText[]): void {
  if (customTexts.length === 0) return;
  const set = append(application, "artTextSet");
  for (const { id, visible, text } of customTexts) {
    writeTexts(append(set, "textGroup", { id, visible: flag(visible) }), "text", text);
  }
}
