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

/** Symbols that are the same in all languages. */
const symbols = new Map([
  ["MTR", "m"],
  ["MTK", "m²"],
  ["MTQ", "m³"],
  ["CMT", "cm"],
  ["MMT", "mm"],
  ["KMT", "km"],
  ["KGM", "kg"],
  ["GRM", "g"],
  ["TNE", "t"],
  ["LTR", "l"],
  ["MIN", "min"],
]);

/** The usual notation of a unit; its code without one. */
export function unitName(words: Words, code: string): string {
  return units.get(words)?.get(code) ?? symbols.get(code) ?? code;
}
