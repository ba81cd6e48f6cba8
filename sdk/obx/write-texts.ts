/** Texts in several languages, one element per language. */
import type { Text } from "../project/document.js";
import type { XmlAttributes, XmlWriter } from "../xml/xml-writer.js";

/** Writes `<name lang='…'>` for every text; "und" is written as no language. */
export function writeTexts(writer: XmlWriter, name: string, texts: readonly Text[] | undefined): void {
  for (const { lang, value, format } of texts ?? []) {
    writer.element(name, value, { lang: lang === "und" ? undefined : lang, format });
  }
}

/** Writes an element that holds texts and nothing else. */
export function writeTextGroup(
  writer: XmlWriter,
  group: { element: string; attributes?: XmlAttributes },
  name: string,
  texts: readonly Text[] | undefined,
): void {
  writer.open(group.element, group.attributes);
  writeTexts(writer, name, texts);
  writer.close();
}
