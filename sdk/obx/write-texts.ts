/** Texts in several languages, one element per language. */
import type { Text } from "../project/document.js";
import { append, type Builder } from "./xml-writing.js";

/** Appends `<name lang='…'>` for every text; "und" is written as no language. */
export function writeTexts(parent: Builder, name: string, texts: readonly Text[] | undefined): void {
  for (const { lang, value, format } of texts ?? []) {
    append(parent, name, { lang: lang === "und" ? undefined : lang, format }, value);
  }
}
