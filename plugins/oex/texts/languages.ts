/** Languages of a document's texts (OEX reference, sections 7, 12 and 18). */
import { type Locale, type ProjectDocument, parseLocale } from "@slipway/sdk";

/** Of a document whose session has no language that the format could name. */
const usualLanguage = "en";

type OexLocale = Pick<Locale, "language" | "region">;

/** A language that texts are written in: ISO 639-1 code, and the variants that session and project name. */
export interface WrittenLanguage {
  code: string;
  /** ISO 3166-1 codes, best first; empty where no country is named. */
  countries: string[];
}

/** Language and country of the document: those of the session. */
export function documentLanguage(locale: string): OexLocale {
  return oexLocale(locale) ?? { language: usualLanguage, region: undefined };
}

/** The language of the document, which is that of the session, and then the other ones of the project. */
export function writtenLanguages(project: ProjectDocument, locale: string): WrittenLanguage[] {
  const others = project.settings.languages.flatMap((language) => oexLocale(language) ?? []);
  const found = new Map<string, string[]>();
  for (const { language, region } of [documentLanguage(locale), ...others]) {
    const countries = found.get(language) ?? [];
    found.set(language, countries);
    if (region !== undefined && !countries.includes(region)) countries.push(region);
  }
  return [...found].map(([code, countries]) => ({ code, countries }));
}

/** Language and country of a tag such as "de_DE", where the format can name them; nothing for "und" or "gsw". */
export function oexLocale(tag: string): OexLocale | undefined {
  const locale = parseLocale(tag.trim());
  if (locale === undefined || !/^[a-z]{2}$/.test(locale.language)) return undefined;
  const { language, region } = locale;
  return { language, region: region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined };
}
