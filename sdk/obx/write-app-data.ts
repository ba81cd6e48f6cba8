/** Data of applications: element `appData`. */
import type { CustomText } from "../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { textApplication } from "./read-app-data.js";
import { flag, writeTextGroup } from "./write-context.js";

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

/** JSON has no text for `undefined`, which says the same as no text. */
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
