import { lastingStorage } from "../client/browser-storage.js";
import { Observed, useObserved } from "../client/observed.js";
import { route } from "./route.js";

/** The languages of pages for people who are no admins; the pages of admins and authors are in English. */
const names = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof names;

/** Words of a part in each language; a language that lacks some does not compile. */
export type Words<Texts> = Readonly<Record<Language, Texts>>;

const place = "slipway-language";

/** The language of the page: the chosen one, else that of the browser. */
export const language = new Observed<Language>(route.value.page === "workbench" ? firstLanguage() : "en");

/** Tells the document its language, for screen readers and hyphenation, now and whenever it changes. */
export function applyLanguage(): void {
  const apply = (chosen: Language): void => {
    document.documentElement.lang = chosen;
  };
  apply(language.value);
  language.follow(apply);
}

/** The words of a part in the language of the page. */
export function useWords<Texts>(words: Words<Texts>): Texts {
  return words[useObserved(language)];
}

const usualLocales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };

/** The locale of a language that the browser prefers, because it knows the country: such as "de-AT". */
export function browserLocale(wanted: Language): string {
  const isKnown = (tag: string): boolean => tag.startsWith(wanted) && /^[a-z]{2}-[A-Z]{2}$/.test(tag);
  return navigator.languages.find(isKnown) ?? usualLocales[wanted];
}

/** The choice of the language. */
export function LanguageSwitch() {
  const chosen = useObserved(language);
  return (
    <select
      class="language"
      aria-label="Language / Sprache"
      value={chosen}
      onChange={({ currentTarget: { value } }) => {
        const wanted = languageOf(value) ?? chosen;
        lastingStorage.keep(place, wanted);
        language.set(wanted);
      }}
    >
      {Object.entries(names).map(([key, name]) => (
        <option key={key} value={key} lang={key}>
          {name}
        </option>
      ))}
    </select>
  );
}

function firstLanguage(): Language {
  const wanted = [lastingStorage.read(place) ?? "", ...navigator.languages];
  return wanted.map(languageOf).find((each) => each !== undefined) ?? "en";
}

/** That of a tag such as "de-AT"; undefined for one that has no words here. */
function languageOf(tag: string): Language | undefined {
  const primary = tag.split("-")[0]?.toLowerCase();
  return primary === "de" || primary === "en" ? primary : undefined;
}
