/** The definition of a template in one language, for clients. */
import {
  type Locale,
  type OptionCategory,
  type OptionField,
  optionText,
  parseLocale,
  type TemplateDefinition,
  type TemplateField,
  type TemplateFile,
  type TemplateOptions,
  type TemplateRecord,
  type TemplateText,
} from "@slipway/sdk";
import { attachmentScheme } from "@slipway/sdk/runtime/host";
import type { LoadedTemplate } from "./loaded-template.js";
import { fieldRules } from "./option-types.js";
import { pluralForm } from "./plural-forms.js";

/** The list element of a template (interface document, section 2.1). */
export function templateRecord(definition: TemplateFile, locale: string): TemplateRecord {
  const text = chooser(locale);
  return {
    category: { key: definition.category.key, name: text(definition.category.name) },
    description: text(definition.description),
    key: definition.key,
    name: text(definition.name),
    pageBreaksDisabled: definition.pageBreaksDisabled,
    properties: definition.properties.map(({ key, value }) => ({
      key,
      value: typeof value === "object" ? text(value) : value,
    })),
    sortWeight: definition.sortWeight,
    source: "server",
    templateKey: definition.key,
    version: definition.version,
    views: definition.views.map(({ key, name }) => ({ key, name: text(name) })),
  };
}

/** The template with its options (interface document, section 2.2); `version` is the hash of its content. */
export function templateDefinition(
  definition: TemplateFile,
  version: string,
  locale: string,
): TemplateDefinition {
  const text = chooser(locale);
  const categories = definition.options.categories.map(
    (category): OptionCategory => ({
      key: category.key,
      label: text(category.label),
      fields: category.fields.map((field) => optionField(field, text)),
    }),
  );
  return {
    record: templateRecord(definition, locale),
    aliases: definition.aliases,
    options: { attachments: attachments(definition, text), categories },
    accessibility: definition.accessibility,
    archivable: definition.archivable,
    calculationLines: definition.calculationLines,
    scripts: definition.scripts,
    version,
  };
}

/** The PDF of an attachment of the template. */
export function attachmentContent(
  { definition, assets }: LoadedTemplate,
  key: string,
  locale: string,
): Uint8Array | undefined {
  const file = Object.hasOwn(definition.attachments, key) ? definition.attachments[key]?.file : undefined;
  if (file === undefined) return undefined;
  return assets.get(typeof file === "string" ? file : chooser(locale)(file));
}

/** Languages for a text, in this order: language and region of the locale, language only, English. */
function languagesOf(locale: Locale | undefined): string[] {
  const wanted = locale ? [locale.tag, locale.language] : [];
  return [...new Set([...wanted, "en"])];
}

function chooser(locale: string): (texts: TemplateText) => string {
  const languages = languagesOf(parseLocale(locale));
  return (texts) => {
    if (typeof texts === "string") return texts;
    const language = languages.find((each) => Object.hasOwn(texts, each));
    return (language === undefined ? Object.values(texts)[0] : texts[language]) ?? "";
  };
}

/** The attachments of a template, for clients that put them before or after a report. */
function attachments(
  definition: TemplateFile,
  text: (texts: TemplateText) => string,
): TemplateOptions["attachments"] {
  return Object.fromEntries(
    Object.entries(definition.attachments).map(([key, { name }]) => [
      key,
      { name: text(name), link: `${attachmentScheme}${key}` },
    ]),
  );
}

function optionField(field: TemplateField, text: (texts: TemplateText) => string): OptionField {
  const { key } = field;
  const rules = fieldRules(field);
  const value =
    rules.format === undefined ? field.default : (optionText(rules, field.default) ?? field.default);
  const known =
    value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number";
  return {
    key,
    label: text(field.label),
    ...rules,
    ...(known && { default: value }),
    ...(field.options && {
      options: field.options.map((choice) => ({ key: choice.key, label: text(choice.label) })),
    }),
  };
}

type Texts = Readonly<Record<string, string>>;

/** The texts of a template for a locale. */
export class SpokenTexts {
  /** Best language first: that of the locale with its region and without, English, the first language. */
  private readonly languages: readonly [language: string, texts: Texts][];

  constructor(translations: Readonly<Record<string, Texts>>, locale: Locale) {
    this.languages = languagesWithTexts(translations, locale).map((language) => [
      language,
      translations[language] ?? {},
    ]);
  }

  /** The text of a key; undefined if no language has it. */
  get(key: string): string | undefined {
    for (const [, texts] of this.languages) if (Object.hasOwn(texts, key)) return texts[key];
    return undefined;
  }

  /** The text of a key in the plural form for a number: "positions.few", else "positions.other", else "positions". */
  counted(key: string, value: number): string | undefined {
    for (const [language, texts] of this.languages) {
      const keys = [`${key}.${pluralForm(language, value)}`, `${key}.other`, key];
      const found = keys.find((each) => Object.hasOwn(texts, each));
      if (found !== undefined) return texts[found];
    }
    return undefined;
  }
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
