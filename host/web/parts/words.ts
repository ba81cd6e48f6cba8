import { Observed, useObserved } from "../client/observed.js";
import type { Language, OtherLanguage } from "./languages.js";

/** The language of the page: one whose words are there. English until another one is spoken. */
export const language = new Observed<Language>("en");

const all = new Set<Pick<Words<unknown>, "load">>();

/** Words of a part of pages. English comes with the part; other languages are loaded when the page speaks them. */
export class Words<Texts> {
  private readonly loaded = new Map<Language, Texts>();

  constructor(
    readonly english: Texts,
    private readonly others: Readonly<Record<OtherLanguage, () => Promise<{ words: Texts }>>>,
  ) {
    all.add(this);
  }

  /** In a language that the page has spoken, else in English. */
  in(spoken: Language): Texts {
    return this.loaded.get(spoken) ?? this.english;
  }

  /** Rejects where the host does not send the words. */
  async load(wanted: Language): Promise<void> {
    if (wanted === "en" || this.loaded.has(wanted)) return;
    const { words } = await this.others[wanted]();
    this.loaded.set(wanted, words);
  }
}

let latest: Language = "en";

/** Has the page speak a language, unless another one is wanted meanwhile. Rejects where the host does not send its words. */
export async function speak(wanted: Language): Promise<void> {
  latest = wanted;
  await Promise.all([...all].map((words) => words.load(wanted)));
  if (latest === wanted) language.set(wanted);
}

/** The words of a part in the language of the page. */
export function useWords<Texts>(words: Words<Texts>): Texts {
  return words.in(useObserved(language));
}
