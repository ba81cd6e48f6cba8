/** Reads the texts of items, language by language. */
import {
  chooseText,
  type Locale,
  type ProjectDocument,
  parseLocale,
  type Text,
  type Texts,
} from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { OexLanguage } from "../document/oex-document.js";
import { hasUnwritable } from "../repair/repairs.js";
import { isBlank } from "../repair/text-lines.js";

/** A non-blank plain text. */
export interface LanguageText {
  language: OexLanguage;
  value: string;
}

/** Location of a text, for error reports. */
export interface TextPlace {
  itemId: string;
  /** For example "userDescription.longText". */
  field: string;
}

/**
 * Reads texts in the languages of a document. Malformed rich text is reported once as `item-text-error`; the next best
 * text of the language replaces it, if any. The loss of characters that XML does not allow is reported once as a
 * repair.
 */
export class TextReader {
  /** ISO 639-1 code. */
  readonly documentLanguage: string;
  private readonly languages: readonly WrittenLanguage[];
  private readonly tags: readonly string[];
  private readonly suppress: ExportContext["suppress"];
  private readonly repairs: ExportContext["repairs"];
  private readonly reported = new WeakSet<Text>();
  /** Codes of the languages that texts name. */
  private readonly codes = new Map<string, string>();

  constructor(context: Pick<ExportContext, "project" | "locale" | "suppress" | "repairs">) {
    const { project, locale, suppress, repairs } = context;
    this.documentLanguage = documentLanguage(locale).language;
    this.languages = writtenLanguages(project, locale);
    this.tags = this.languages.flatMap(({ tags }) => tags);
    this.suppress = suppress;
    this.repairs = repairs;
  }

  /** The text that suits the document's languages best; empty without one. */
  best(texts: Texts | undefined, place: TextPlace): string {
    return this.choose(texts ?? [], this.tags, place);
  }

  /**
   * One text per available language, the document's first; a text without a language counts as the document's. The
   * country is set if there are two variants of a language. If no text is in one of the languages, the first one is
   * returned in its own language.
   */
  byLanguage(texts: Texts | undefined, place: TextPlace): LanguageText[] {
    if (texts === undefined || texts.length === 0) return [];
    const found = this.languages.flatMap((language) => this.inLanguage(texts, language, place));
    return found.length > 0 ? found : this.inAnotherLanguage(texts, place);
  }

  private inLanguage(
    texts: Texts,
    { code, countries, tags }: WrittenLanguage,
    place: TextPlace,
  ): LanguageText[] {
    const candidates = texts.filter(({ lang }) => this.isIn(lang, code));
    if (candidates.length === 0) return [];
    const variants = countries.length < 2 ? [] : this.variants(candidates, code, countries, place);
    if (variants.length > 1) return variants;
    return languageText(this.choose(candidates, tags, place), { code });
  }

  private variants(
    texts: Texts,
    code: string,
    countries: readonly string[],
    place: TextPlace,
  ): LanguageText[] {
    return countries.flatMap((country) => {
      const own = texts.filter(({ lang }) => oexLocale(lang)?.region === country);
      return languageText(this.choose(own, [`${code}-${country}`], place), { code, country });
    });
  }

  private inAnotherLanguage(texts: Texts, place: TextPlace): LanguageText[] {
    for (const text of texts) {
      const code = oexLocale(text.lang)?.language ?? this.documentLanguage;
      const found = languageText(this.choose([text], [], place), { code });
      if (found.length > 0) return found;
    }
    return [];
  }

  private isIn(lang: string, code: string): boolean {
    return (this.codes.get(lang) ?? this.newCode(lang)) === code;
  }

  /** A text without a language counts as the document's; empty for a language that the format cannot name. */
  private newCode(lang: string): string {
    const unnamed = /^(und)?$/i.test(lang.trim()) ? this.documentLanguage : "";
    const code = oexLocale(lang)?.language ?? unnamed;
    this.codes.set(lang, code);
    return code;
  }

  private choose(texts: Texts, tags: readonly string[], place: TextPlace): string {
    const { value, lang, unreadable } = chooseText(texts, tags);
    for (const { text, message } of unreadable) this.reportUnreadable(text, message, place);
    for (const text of texts)
      if (text.lang === lang && hasUnwritable(text.value)) this.reportLoss(text, place);
    return isBlank(value) ? "" : value;
  }

  private isFirstReport(text: Text): boolean {
    if (this.reported.has(text)) return false;
    this.reported.add(text);
    return true;
  }

  private reportLoss(text: Text, { itemId, field }: TextPlace): void {
    if (!this.isFirstReport(text)) return;
    const change = "characters that XML does not allow were removed";
    this.repairs.forItem({ id: itemId, position: "" }).report({ field, value: text.value, change });
  }

  private reportUnreadable(text: Text, message: string, { itemId, field }: TextPlace): void {
    if (!this.isFirstReport(text)) return;
    this.suppress({
      id: "item-text-error",
      message: `The text "${field}" of the item ${itemId} cannot be read and was left out in this language: ${message.replace(/\.$/, "")}.`,
      cause: [message],
      additionalInformation: { itemId, field, lang: text.lang },
    });
  }
}

function languageText(value: string, language: OexLanguage): LanguageText[] {
  return value === "" ? [] : [{ language, value }];
}

// Languages of a document's texts (OEX reference, sections 7, 12 and 18).

/** Document language if the format cannot name the session's language. */
const usualLanguage = "en";

type OexLocale = Pick<Locale, "language" | "region">;

/** A language of written texts: ISO 639-1 code, and the country variants used by session and project. */
interface WrittenLanguage {
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
function writtenLanguages(project: ProjectDocument, locale: string): WrittenLanguage[] {
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
