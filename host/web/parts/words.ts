import { Observed, useObserved } from "../client/observed.js";
import type { Language, OtherLanguage } from "./languages.js";

/** The language of the page, whose words are loaded. English at first. */
export const language = new Observed<Language>("en");

const all = new Set<Pick<Words<unknown>, "load">>();

/** Words of a part of pages. English is in its bundle; other languages are loaded on demand. */
export class Words<Texts> {
  private readonly loaded = new Map<Language, Texts>();

  constructor(
    readonly english: Texts,
    private readonly others: Readonly<Record<OtherLanguage, () => Promise<{ words: Texts }>>>,
  ) {
    all.add(this);
  }

  /** The words in a loaded language, else in English. */
  in(spoken: Language): Texts {
    return this.loaded.get(spoken) ?? this.english;
  }

  /** Rejects if the host does not send the words. */
  async load(wanted: Language): Promise<void> {
    if (wanted === "en" || this.loaded.has(wanted)) return;
    const { words } = await this.others[wanted]();
    this.loaded.set(wanted, words);
  }
}

let latest: Language = "en";

/** Switches the language of the page, unless a later call wants another one. Rejects if the host does not send its words. */
export async function switchLanguage(wanted: Language): Promise<void> {
  latest = wanted;
  await Promise.all([...all].map((words) => words.load(wanted)));
  if (latest === wanted) language.set(wanted);
}

/** The words of a part in the language of the page. */
export function useWords<Texts>(words: Words<Texts>): Texts {
  return words.in(useObserved(language));
}
