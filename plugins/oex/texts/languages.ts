/** Languages of a document's texts (OEX reference, sections 7, 12 and 18). */
import { type Locale, type ProjectDocument, parseLocale } from "@slipway/sdk";

/** Document language if the format cannot name the session's language. */
const usualLanguage = "en";

type OexLocale = Pick<Locale, "language" | "region">;

/** A language of written texts: ISO 639-1 code, and the country variants used by session and project. */
export interface WrittenLanguage {
  code: string;
  /** ISO 3166-1 codes, best first; empty without a country. */
  countries: string[];
  /** Tags such as "de-AT" and "de", best first. */
  tags: string[];
}

/** Language and country of the document, from the session. */
export function documentLanguage(locale: string): OexLocale {
  return oexLocale(locale) ?? { language: usualLanguage, region: undefined };
}

/** The document's language, which is the session's, followed by the project's other languages. */
export function writtenLanguages(project: ProjectDocument, locale: string): WrittenLanguage[] {
  const others = project.settings.languages.flatMap((language) => oexLocale(language) ?? []);
  const found = new Map<string, string[]>();
  for (const { language, region } of [documentLanguage(locale), ...others]) {
    const countries = found.get(language) ?? [];
    found.set(language, countries);
    if (region !== undefined && !countries.includes(region)) countries.push(region);
  }
  return [...found].map(([code, countries]) => ({
    code,
    countries,
    tags: [...countries.map((country) => `${code}-${country}`), code],
  }));
}

/**
 * Language and country of a tag such as "de_DE"; undefined if the format cannot name the language, as for "und" or
 * "gsw".
 */
export function oexLocale(tag: string): OexLocale | undefined {
  const locale = parseLocale(tag.trim());
  if (locale === undefined || !/^[a-z]{2}$/.test(locale.language)) return undefined;
  const { language, region } = locale;
  return { language, region: region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined };
}
