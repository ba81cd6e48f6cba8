/** The files `i18n/<language>.json` of a template: flat objects of key and text. */

import type { TemplateFiles } from "./template-folder.js";
import type { TemplateProblem } from "./template-problem.js";

/** Texts by language and key. */
export type Translations = ReadonlyMap<string, Readonly<Record<string, string>>>;

const filePattern = /^i18n\/([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.json$/;

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
    const read = language === undefined ? wrongName : readTexts(content);
    if (language !== undefined && typeof read !== "string") translations.set(language, read);
    else problems.push({ file: path, line: undefined, message: String(read) });
  }
  return { translations, problems, warnings: missingKeys(translations) };
}

const wrongName = 'expected a name such as "de.json" or "de-CH.json"';

function readTexts(content: Uint8Array): Record<string, string> | string {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(content));
  } catch (error) {
    return error instanceof Error ? error.message : "not valid JSON";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "expected an object of keys and texts";
  }
  const texts: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === "string") Object.defineProperty(texts, key, { value: text, enumerable: true });
    else wrong.push(key);
  }
  return wrong.length === 0 ? texts : `expected texts for the keys ${quoted(wrong)}`;
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
