/** Texts in several languages, as the files hold them: one element per language. */
import type { Text, Texts } from "../project/document.js";
import { attributeOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

const formats = new Map<string, NonNullable<Text["format"]>>([
  ["plain", "plain"],
  ["html", "html"],
  ["iml", "iml"],
  ["xml", "xml"],
  ["json", "json"],
]);

/** The language of an element; "und" when the file says none, two blanks or "und". */
export function languageOf(element: XmlElement): string {
  const lang = attributeOf(element, "lang")?.trim();
  return lang === undefined || lang === "" ? "und" : lang;
}

/** The texts of the elements; of two in one language the first counts, empty ones count as none. */
export function textsOf(elements: readonly XmlElement[]): Texts {
  const texts: Texts = [];
  for (const element of elements) {
    const lang = languageOf(element);
    if (element.text === "" || texts.some((text) => text.lang === lang)) continue;
    const format = formats.get(attributeOf(element, "format")?.toLowerCase() ?? "");
    texts.push({ lang, value: element.text, ...(format === undefined ? {} : { format }) });
  }
  return texts;
}

/** The texts, or nothing when there are none: for optional members of the project document. */
export function textsIfAny(elements: readonly XmlElement[]): Texts | undefined {
  const texts = textsOf(elements);
  return texts.length === 0 ? undefined : texts;
}
