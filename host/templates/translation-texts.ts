import { type Locale, parseLocale } from "@slipway/sdk";
import { languagesOf } from "./localized-template.js";

type Texts = Readonly<Record<string, string>>;

/** The texts of a template by key, with fallback from the locale to its language, English and the first language. */
export function translationTexts(
  translations: Readonly<Record<string, Texts>>,
  locale: Locale,
): ReadonlyMap<string, string> {
  const languages = languagesWithTexts(translations, locale);
  const texts = new Map<string, string>();
  for (const language of languages.reverse()) {
    for (const [key, text] of Object.entries(translations[language] ?? {})) texts.set(key, text);
  }
  return texts;
}

/**
 * The locale of a document: the requested one, unless the template has only other languages. English text in an Arabic
 * document would run from right to left.
 */
export function documentLocale(translations: Readonly<Record<string, Texts>>, locale: Locale): Locale {
  const [language] = languagesWithTexts(translations, locale);
  const spoken = language === undefined ? undefined : parseLocale(language);
  return spoken === undefined || spoken.language === locale.language ? locale : spoken;
}

/** The languages with texts, best first: those of the locale, English, the first language. */
function languagesWithTexts(translations: Readonly<Record<string, Texts>>, locale: Locale): string[] {
  const known = Object.keys(translations);
  return [...languagesOf(locale), ...known.slice(0, 1)].filter((each) => known.includes(each));
}
