import { lastingStorage } from "../client/browser-storage.js";
import { useObserved } from "../client/observed.js";
import { type Language, languageNames, languageOf, languages } from "./languages.js";
import { partWords } from "./part-words.js";
import { toastFailure } from "./toasts.js";
import { language, switchLanguage, useWords } from "./words.js";

const place = "slipway-language";

/** Keeps the document's `lang` current, for screen readers and hyphenation. */
export function applyLanguage(): void {
  const apply = (chosen: Language): void => {
    document.documentElement.lang = chosen;
  };
  apply(language.value);
  language.follow(apply);
}

/** The stored choice, else the first supported language of the browser, else English. */
export function preferredLanguage(): Language {
  const wanted = [lastingStorage.read(place) ?? "", ...navigator.languages];
  return wanted.map(languageOf).find((each) => each !== undefined) ?? "en";
}

/** The browser's preferred locale of a language, such as "de-AT", else with its most likely region (CLDR); "en-GB" for English. */
export function browserLocale(wanted: Language): string {
  const isKnown = (tag: string): boolean => languageOf(tag) === wanted && /^[a-z]{2}-[A-Z]{2}$/.test(tag);
  const likely = wanted === "en" ? "GB" : new Intl.Locale(wanted).maximize().region;
  return navigator.languages.find(isKnown) ?? `${wanted}-${likely}`;
}

/** Select for the language of the page. */
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
        switchLanguage(wanted).then(
          () => lastingStorage.keep(place, wanted),
          () => {
            currentTarget.value = language.value;
            toastFailure(words.languageMissing(languageNames[wanted]));
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
