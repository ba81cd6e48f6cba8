/** The languages of the workbench and of shared parts, by their own names. Pages of admins and authors are in English. */
export const languageNames = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  es: "Español",
  nl: "Nederlands",
  pl: "Polski",
  sv: "Svenska",
  da: "Dansk",
  cs: "Čeština",
} as const;

/** ISO 639-1. */
export type Language = keyof typeof languageNames;
export type OtherLanguage = Exclude<Language, "en">;

/** The language of a tag such as "de-AT"; undefined for one that pages do not speak. */
export function languageOf(tag: string): Language | undefined {
  const primary = tag.split("-")[0]?.toLowerCase();
  return languages.find((each) => each === primary);
}

/** All languages, English first. */
export const languages: readonly Language[] = Object.keys(languageNames).flatMap((key) =>
  isLanguage(key) ? [key] : [],
);

function isLanguage(key: string): key is Language {
  return Object.hasOwn(languageNames, key);
}

/** The plural forms of each language (CLDR), as `Intl.PluralRules` names them. */
export const pluralForms = {
  en: ["one", "other"],
  de: ["one", "other"],
  fr: ["one", "many", "other"],
  it: ["one", "many", "other"],
  es: ["one", "many", "other"],
  nl: ["one", "other"],
  pl: ["one", "few", "many", "other"],
  sv: ["one", "other"],
  da: ["one", "other"],
  cs: ["one", "few", "many", "other"],
} as const satisfies Record<Language, readonly Intl.LDMLPluralRule[]>;
export type PluralForm<Spoken extends Language> = (typeof pluralForms)[Spoken][number];
