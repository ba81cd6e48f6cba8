import { element } from "./element.js";

const offered = [
  "en_GB",
  "en_US",
  "de_DE",
  "de_AT",
  "de_CH",
  "fr_FR",
  "fr_CH",
  "nl_NL",
  "nl_BE",
  "pl_PL",
  "es_ES",
  "it_IT",
  "cs_CZ",
  "da_DK",
  "sv_SE",
  "tr_TR",
  "ja_JP",
  "zh_CN",
];

/** A list of locales with their names, with the given ones among them. */
export function localeChoices(...others: string[]): HTMLOptionElement[] {
  const all = [...new Set([...others, ...offered])];
  const named = all.map((locale) => ({ locale, name: localeName(locale) }));
  return named
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(({ locale, name }) => element("option", { value: locale }, name));
}

/** Such as "German (Germany)"; the locale itself where the browser has no name for it. */
function localeName(locale: string): string {
  try {
    const names = new Intl.DisplayNames(["en"], { type: "language", languageDisplay: "standard" });
    return names.of(locale.replaceAll("_", "-")) ?? locale;
  } catch {
    return locale;
  }
}
