/** The files `i18n/<language>.json` of a template: flat objects of key and text. */

import { languagePattern } from "@slipway/sdk";
import { isJsonObject } from "../system/json-object.js";
import { JsonSource } from "./json-source.js";
import { type TemplateFiles, textOf } from "./template-folder.js";
import { type TemplateProblem, withExcerpt } from "./template-problem.js";

/** Texts by language and key. */
export type Translations = ReadonlyMap<string, Readonly<Record<string, string>>>;

const filePattern = new RegExp(`^i18n/(${languagePattern.slice(1, -1)})\\.json$`);

/** Reads all languages; a key that some language lacks is a warning. */
export function readTranslations(files: TemplateFiles): {
  translations: Translations;
  problems: TemplateProblem[];
  warnings: string[];
} {
  const translations = new Map<string, Record<string, string>>();
  const problems: TemplateProblem[] = [];
  for (const [path, content] of files) {
    if (!path.startsWith("i18n/")) continue;
    const language = filePattern.exec(path)?.[1];
    const read =
      language === undefined ? { line: undefined, message: wrongName } : readTexts(textOf(content));
    if (language !== undefined && "texts" in read) translations.set(language, read.texts);
    else if ("message" in read) problems.push({ ...read, file: path });
  }
  return { translations, problems, warnings: missingKeys(translations) };
}

const wrongName = 'expected a name such as "de.json" or "de-CH.json"';

function readTexts(text: string): { texts: Record<string, string> } | Omit<TemplateProblem, "file"> {
  const source = JsonSource.read(text);
  if (!(source instanceof JsonSource)) return withExcerpt({ file: "", line: undefined, ...source }, text);
  const { value } = source;
  if (!isJsonObject(value)) {
    return { line: undefined, message: "expected an object of keys and texts" };
  }
  const texts: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === "string") Object.defineProperty(texts, key, { value: member, enumerable: true });
    else wrong.push(key);
  }
  if (wrong.length === 0) return { texts };
  const place = source.placeOf(wrong.slice(0, 1));
  return withExcerpt({ file: "", ...place, message: `expected texts for the keys ${quoted(wrong)}` }, text);
}

/** Regional files may state only what differs. */
function missingKeys(translations: Translations): string[] {
  const languages = [...translations].filter(([language]) => !language.includes("-"));
  const keys = new Set(languages.flatMap(([, texts]) => Object.keys(texts)));
  return languages.flatMap(([language, texts]) => {
    const missing = [...keys].filter((key) => !Object.hasOwn(texts, key));
    return missing.length === 0 ? [] : [`i18n/${language}.json: no text for ${quoted(missing)}`];
  });
}

function quoted(keys: string[]): string {
  const shown = keys.slice(0, 10).map((key) => `"${key}"`);
  return keys.length > shown.length
    ? `${shown.join(", ")} and ${keys.length - shown.length} more`
    : shown.join(", ");
}
