/** Headings and labels in the languages of the bundled templates. */
import { parseLocale } from "@slipway/sdk";
import { dutch } from "./dutch.js";
import { english, type Words } from "./english.js";
import { french } from "./french.js";
import { german } from "./german.js";
import { polish } from "./polish.js";
import { spanish } from "./spanish.js";

const languages: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["en", english],
  ["de", german],
  ["fr", french],
  ["nl", dutch],
  ["pl", polish],
  ["es", spanish],
]);

/** Words in the language of a locale, otherwise in English. */
export function wordsOf(locale: string): Words {
  return languages.get(parseLocale(locale)?.language ?? "") ?? english;
}

const units = new Map([...languages.values()].map((words) => [words, new Map(Object.entries(words.units))]));

/** The usual notation of a unit; its code if there is none. */
export function unitName(words: Words, code: string): string {
  return units.get(words)?.get(code) ?? code;
}
