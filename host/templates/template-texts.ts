/** The words of a template, `i18n/<language>.json`: reading them, and what its author should know of them. */
import { languagePattern } from "@slipway/sdk";
import { isJsonObject } from "../system/json.js";
import { JsonSource } from "./json-source.js";
import { labelFile } from "./label-table.js";
import { pluralForms, withoutForm } from "./plural-forms.js";
import { type TemplateFiles, textOf } from "./template-folder.js";
import { type TemplateProblem, withExcerpt } from "./template-problem.js";

type Texts = Readonly<Record<string, string>>;
/** Texts by language and key. */
export type Translations = ReadonlyMap<string, Texts>;

const filePattern = new RegExp(`^i18n/(${languagePattern.slice(1, -1)})\\.json$`);
const wrongName = 'its name must be one such as "de.json" or "de-CH.json"';

/**
 * Reads all languages. Warnings are one line per file and cause, such as `i18n/de.json: no text for "title"`; `origins` are
 * the paths of files from shared folders.
 */
export function readTranslations(
  files: TemplateFiles,
  origins: ReadonlyMap<string, string>,
): { translations: Translations; problems: TemplateProblem[]; warnings: string[] } {
  const translations = new Map<string, Texts>();
  const problems: TemplateProblem[] = [];
  for (const [path, content] of files) {
    if (!path.startsWith("i18n/") || path === labelFile) continue;
    const language = filePattern.exec(path)?.[1];
    const read =
      language === undefined ? { line: undefined, message: wrongName } : readTexts(textOf(content));
    if (language !== undefined && "texts" in read) translations.set(language, read.texts);
    else if ("message" in read) problems.push({ ...read, file: path });
  }
  const warnings = [...translations].flatMap(([language, texts]) => {
    const path = `i18n/${language}.json`;
    const found = [
      ...missingTexts(language, texts, translations),
      ...unusedForms(language, texts, translations),
      ...otherPlaceholders(language, texts, translations),
    ];
    return found.map((message) => `${origins.get(path) ?? path}: ${message}`);
  });
  return { translations, problems, warnings };
}

function readTexts(text: string): { texts: Texts } | Omit<TemplateProblem, "file"> {
  const source = JsonSource.read(text);
  if (!(source instanceof JsonSource)) return withExcerpt({ file: "", line: undefined, ...source }, text);
  const { value } = source;
  if (!isJsonObject(value)) return { line: undefined, message: "it must be an object of keys and texts" };
  const texts: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === "string") Object.defineProperty(texts, key, { value: member, enumerable: true });
    else wrong.push(key);
  }
  if (wrong.length === 0) return { texts };
  const place = source.placeOf(wrong.slice(0, 1));
  return withExcerpt({ file: "", ...place, message: `the keys ${quoted(wrong)} must have texts` }, text);
}

/** Keys that other languages have. Regional files may contain only the differences. */
function missingTexts(language: string, texts: Texts, translations: Translations): string[] {
  if (isRegional(language)) return [];
  const plurals = pluralKeys(translations);
  const baseOf = (key: string): string => {
    const base = withoutForm(key);
    return base !== undefined && plurals.has(base) ? base : key;
  };
  const languages = [...translations].filter(([each]) => !isRegional(each));
  const bases = new Set(languages.flatMap(([, each]) => Object.keys(each).map(baseOf)));
  const missing = [...bases].flatMap((base) => {
    if (Object.hasOwn(texts, base)) return [];
    const needed = plurals.has(base) ? pluralForms(language).map((form) => `${base}.${form}`) : [base];
    return needed.filter((key) => !Object.hasOwn(texts, key));
  });
  if (missing.length === 0) return [];
  return [`no text for ${quoted(missing)}; add it, or a report in this language has it in another one`];
}

/** Forms that numbers never take in the language. */
function unusedForms(language: string, texts: Texts, translations: Translations): string[] {
  const plurals = pluralKeys(translations);
  const forms = pluralForms(language);
  const unused = Object.keys(texts).filter((key) => {
    const base = withoutForm(key);
    return base !== undefined && plurals.has(base) && !forms.some((form) => key === `${base}.${form}`);
  });
  if (unused.length === 0) return [];
  return [
    `${quoted(unused)} is never used, because the plural forms of the language are ${forms.join(", ")}; remove it`,
  ];
}

/** Placeholders that differ from those of English, else of the first language with the text. */
function otherPlaceholders(language: string, texts: Texts, translations: Translations): string[] {
  const plurals = pluralKeys(translations);
  const candidates = ["en", ...translations.keys()];
  return Object.entries(texts).flatMap(([key, text]) => {
    const form = withoutForm(key);
    const base = form !== undefined && plurals.has(form) ? form : undefined;
    const keys = base === undefined ? [key] : [`${base}.other`, base];
    for (const other of candidates) {
      const known = translations.get(other) ?? {};
      const model = keys.find((each) => Object.hasOwn(known, each));
      if (model === undefined) continue;
      const expected = placeholders(known[model] ?? "");
      const own = placeholders(text);
      // "One position" needs no number.
      const lacks = [...expected].filter(
        (name) => !own.has(name) && (base === undefined || name !== "count"),
      );
      const adds = [...own].filter((name) => !expected.has(name));
      if (other === language || lacks.length + adds.length === 0) return [];
      const parts = [
        ...(lacks.length > 0 ? [`lacks ${braced(lacks)}`] : []),
        ...(adds.length > 0 ? [`has ${braced(adds)}`] : []),
      ];
      return [
        `"${key}" ${parts.join(" and ")}, unlike i18n/${other}.json; use the same placeholders in all languages`,
      ];
    }
    return [];
  });
}

/** The keys that some language has in plural forms, without the forms: "position" for "position.one" and "position.other". */
function pluralKeys(translations: Translations): ReadonlySet<string> {
  const found = new Set<string>();
  for (const texts of translations.values()) {
    for (const key of Object.keys(texts)) {
      const base = withoutForm(key);
      if (base !== undefined && !key.endsWith(".other") && Object.hasOwn(texts, `${base}.other`))
        found.add(base);
    }
  }
  return found;
}

function placeholders(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name));
}

function braced(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(", ");
}

/** Whether a language has a region, so that it may have only the differences. */
export function isRegional(language: string): boolean {
  return language.includes("-");
}

/** The first keys, for a message. */
export function quoted(keys: readonly string[]): string {
  const shown = keys.slice(0, 10).map((key) => `"${key}"`);
  return keys.length > shown.length
    ? `${shown.join(", ")} and ${keys.length - shown.length} more`
    : shown.join(", ");
}
