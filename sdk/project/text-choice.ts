/** Chooses among texts in several languages. */

import type { Suppression } from "../schema/errors.js";
import { trimmedEnd } from "../schema/text.js";
import type { ProjectDocument, Text, Texts } from "./document.js";
import { plainText, UnreadableText } from "./plain-text.js";

/** Languages of a project's texts in order of preference: the project's languages, then the session's. */
export function textLanguages(project: ProjectDocument, locale: string): string[] {
  const tags = [...project.settings.languages, locale].map((each) => language(each).tag);
  return [...new Set(tags.filter((tag) => tag !== "und"))];
}

/** Languages of labels in order of preference: the session's, then those of the project's texts. */
export function labelLanguages(project: ProjectDocument, locale: string): string[] {
  return [locale, ...textLanguages(project, locale)];
}

/**
 * The non-blank texts, best first. For each language in turn: its exact tag, then other texts of the same base
 * language; then texts without a language ("und"); then the rest in document order.
 */
export function rankTexts(texts: Texts | undefined, languages: readonly string[]): Text[] {
  const filled = (texts ?? []).filter((text) => text.value.trim() !== "");
  if (filled.length < 2) return filled;
  return filled
    .map((text) => ({ text, rank: languageRank(text.lang, languages) }))
    .sort((left, right) => left.rank - right.rank)
    .map((each) => each.text);
}

/** Whether any text is in one of the languages, or has no language. */
export function speaks(texts: Texts | undefined, languages: readonly string[]): boolean {
  const limit = languageRank("und", languages);
  return (texts ?? []).some(
    (text) => text.value.trim() !== "" && languageRank(text.lang, languages) <= limit,
  );
}

/** A chosen text as plain text, and better ones that are unreadable. */
export interface ChosenText {
  /** Empty if there is no readable text. */
  value: string;
  /** Language of the text, if any. */
  lang: string | undefined;
  /** Errors of better texts that are unreadable. */
  unreadable: UnreadableText[];
}

/** The best readable text. Unreadable texts are skipped and listed in `unreadable`. */
export function chooseText(texts: Texts | undefined, languages: readonly string[]): ChosenText {
  const unreadable: UnreadableText[] = [];
  for (const text of rankTexts(texts, languages)) {
    try {
      return { value: plainText(text), lang: text.lang, unreadable };
    } catch (error) {
      if (!(error instanceof UnreadableText)) throw error;
      unreadable.push(error);
    }
  }
  return { value: "", lang: undefined, unreadable };
}

/** Twice the index of the language, plus one if only the base language matches. */
function languageRank(tag: string, languages: readonly string[]): number {
  const lang = language(tag);
  for (let place = 0; place < languages.length; place++) {
    const sought = language(languages[place] ?? "");
    if (lang.tag === sought.tag) return place * 2;
    if (lang.base === sought.base) return place * 2 + 1;
  }
  return languages.length * 2 + (lang.tag === "und" ? 0 : 1);
}

interface Language {
  /** In lower case with hyphens; "und" if missing. */
  tag: string;
  base: string;
}

const knownLanguages = new Map<string, Language>();
const mostKnownLanguages = 1000;

function language(text: string): Language {
  const known = knownLanguages.get(text);
  if (known !== undefined) return known;
  const trimmed = text.trim().replaceAll("_", "-").toLowerCase();
  const tag = trimmed === "" ? "und" : trimmed;
  const found = { tag, base: tag.split("-", 1)[0] ?? tag };
  if (knownLanguages.size < mostKnownLanguages) knownLanguages.set(text, found);
  return found;
}

/** Cache of successfully read texts by project and languages, shared by all documents of a project. */
const known = new WeakMap<ProjectDocument, Map<string, WeakMap<Texts, string>>>();

/**
 * Reads texts in the languages of a document, best first. Malformed rich text is reported as `item-text-error` (of an
 * item) or `project-text-error`; the next best language replaces it, if any.
 */
export class TextReader {
  private readonly read: WeakMap<Texts, string>;

  constructor(
    project: ProjectDocument,
    private readonly languages: readonly string[],
    private readonly suppress: (suppression: Suppression) => void,
  ) {
    const ofProject = known.get(project) ?? new Map<string, WeakMap<Texts, string>>();
    known.set(project, ofProject);
    const key = languages.join(" ");
    this.read = ofProject.get(key) ?? new WeakMap<Texts, string>();
    ofProject.set(key, this.read);
  }

  /** The text of one field of an item. */
  ofItem(texts: Texts | undefined, itemId: string, field: string): string {
    if (texts === undefined || texts.length === 0) return "";
    return this.read.get(texts) ?? this.choose(texts, "item", field, itemId);
  }

  /** A text of the project or of its prices. */
  ofProject(texts: Texts | undefined, field: string): string {
    if (texts === undefined || texts.length === 0) return "";
    return this.read.get(texts) ?? this.choose(texts, "project", field, undefined);
  }

  private choose(texts: Texts, owner: "item" | "project", field: string, itemId: string | undefined): string {
    const chosen = chooseText(texts, this.languages);
    if (chosen.unreadable.length === 0) this.read.set(texts, chosen.value);
    for (const error of chosen.unreadable) this.report(error, owner, field, itemId);
    return chosen.value;
  }

  private report(
    { message, text }: ChosenText["unreadable"][number],
    owner: "item" | "project",
    field: string,
    itemId: string | undefined,
  ): void {
    const where = itemId === undefined ? "the project" : `the item ${itemId}`;
    this.suppress({
      id: `${owner}-text-error`,
      message: `The text "${field}" of ${where} cannot be read and was left out in this language: ${trimmedEnd(message, ".")}.`,
      cause: [message],
      additionalInformation: { ...(itemId === undefined ? {} : { itemId }), field, lang: text.lang },
    });
  }
}
