/** Texts of a position: elements `description` and `userDescription`. */
import type { Descriptions, PositionItem, Texts } from "../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { flag } from "./write-flag.js";
import { writeTextGroup } from "./write-texts.js";

/** Short, long and feature text as elements `name`; `default='1'` marks those that are the usual ones. */
export function writeDescriptions(
  writer: XmlWriter,
  name: string,
  descriptions: Descriptions | undefined,
  mode?: PositionItem["descriptionMode"],
): void {
  const write = (type: string, texts: Texts | undefined, usual: boolean): void => {
    const attribute = mode === undefined ? undefined : flag(usual);
    if (texts !== undefined || (usual && mode !== undefined)) {
      writeTextGroup(writer, { element: name, attributes: { type, default: attribute } }, "text", texts);
    }
  };
  write("short", descriptions?.shortText, mode === "short" || mode === "both");
  write("long", descriptions?.longText, mode === "long" || mode === "both");
  write("features", descriptions?.featureText, false);
}
