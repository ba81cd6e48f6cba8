import { lastingStorage } from "../client/browser-storage.js";
import { useObserved } from "../client/observed.js";
import { type Language, languageNames, languageOf, languages } from "./languages.js";
import { partWords } from "./part-words.js";
import { sayFailed } from "./toasts.js";
import { language, speak, useWords } from "./words.js";

const place = "slipway-language";

/** Tells the document its language, for screen readers and hyphenation, now and whenever it changes. */
export function applyLanguage(): void {
  const apply = (chosen: Language): void => {
    document.documentElement.lang = chosen;
  };
  apply(language.value);
  language.follow(apply);
}

/** The language that the person has chosen, else the first of those of the browser that pages speak, else English. */
export function preferredLanguage(): Language {
  const wanted = [lastingStorage.read(place) ?? "", ...navigator.languages];
  return wanted.map(languageOf).find((each) => each !== undefined) ?? "en";
}

const usualRegions: Readonly<Record<Language, string>> = {
  en: "GB",
  de: "DE",
  fr: "FR",
  it: "IT",
  es: "ES",
  nl: "NL",
  pl: "PL",
  sv: "SE",
  da: "DK",
  cs: "CZ",
};

/** The locale of a language that the browser prefers, because it knows the country: such as "de-AT". */
export function browserLocale(wanted: Language): string {
  const isKnown = (tag: string): boolean => languageOf(tag) === wanted && /^[a-z]{2}-[A-Z]{2}$/.test(tag);
  return navigator.languages.find(isKnown) ?? `${wanted}-${usualRegions[wanted]}`;
}

/** The choice of the language. */
export function LanguageSwitch() {
  const chosen = useObserved(language);
  const words = useWords(partWords);
  return (
    <select
      class="language"
      aria-label={words.language}
      value={chosen}
      onChange={({ currentTarget }) => {
        const wanted = languageOf(currentTarget.value) ?? chosen;
        speak(wanted).then(
          () => lastingStorage.keep(place, wanted),
          () => {
            currentTarget.value = language.value;
            sayFailed(words.languageMissing(languageNames[wanted]));
          },
        );
      }}
    >
      {languages.map((each) => (
        <option key={each} value={each} lang={each}>
          {languageNames[each]}
        </option>
      ))}
    </select>
  );
}
