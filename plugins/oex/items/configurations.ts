/** The configuration of an article (OEX reference, section 13). */
import type { ArticleItem, Feature, Texts } from "@slipway/sdk";
import type { Configuration, ConfigurationText, OexLanguage } from "../document/frames.js";
import { oneLine, textLines } from "../repair/text-lines.js";
import type { LanguageText } from "../texts/text-reader.js";
import type { ItemContext } from "./item-context.js";

/** Maximum length of a feature name. */
const longestName = 80;

/** One per feature with a value, in the order of the project. */
export function configurations(item: ArticleItem, context: ItemContext): Configuration[] {
  const { exportInvisibleFeatures } = context.configuration;
  const classes = propertyClasses(item);
  return featuresOf(item).flatMap((feature) => {
    if (!feature.visible && !exportInvisibleFeatures) return [];
    const optionId = context.repairs.line("features.name", feature.name);
    const valueId = context.repairs.line(`features.${feature.name}.value`, feature.value);
    if (optionId === undefined || valueId === undefined) return [];
    const classId = context.repairs.line("properties.className", classes(feature));
    return [
      {
        visible: feature.visible,
        ...(classId !== undefined && { classId }),
        optionId,
        valueId,
        texts: featureTexts(item, feature, optionId, context),
      },
    ];
  });
}

/** Projects may state an article's properties instead of its features; all of them are visible. */
function featuresOf(item: ArticleItem): Feature[] {
  if (item.features.length > 0) return item.features;
  return (item.properties ?? []).map(({ name, value, nameText, valueText }) => ({
    name,
    value,
    nameText: nameText ?? [],
    valueText: valueText ?? [],
    visible: true,
  }));
}

/**
 * The class of a feature: that of the property, or of the part of the OFML variant code ("class.property=value;..."),
 * with the same name and value. Undefined if several classes match.
 */
function propertyClasses(item: ArticleItem): (feature: Feature) => string | undefined {
  const found = new Map<string, Set<string>>();
  const add = (className: string, name: string, value: string): void => {
    const key = `${name}=${value}`;
    found.set(key, (found.get(key) ?? new Set()).add(className));
  };
  for (const { className, name, value } of item.properties ?? []) add(className, name, value);
  for (const part of (item.ofmlVariantCode ?? "").split(";")) {
    const [, className, name, value] = /^([^.=]+)\.([^=]+)=(.*)$/su.exec(part.trimStart()) ?? [];
    if (className !== undefined && name !== undefined && value !== undefined) add(className, name, value);
  }
  return ({ name, value }) => {
    const [first, second] = found.get(`${name}=${value}`) ?? [];
    return second === undefined ? first : undefined;
  };
}

/**
 * One text in the document's language, from the best texts available, and one in each other language that has the name
 * of the feature or of its value.
 */
function featureTexts(
  item: ArticleItem,
  feature: Feature,
  optionId: string,
  context: ItemContext,
): ConfigurationText[] {
  const { reader, repairs } = context;
  const field = (member: string): string => `features.${optionId}.${member}`;
  const read = (texts: Texts, member: string) => {
    const place = { itemId: item.id, field: field(member) };
    return { own: reader.byLanguage(texts, place), best: () => reader.best(texts, place) };
  };
  const names = read(feature.nameText, "nameText");
  const values = read(feature.valueText, "valueText");
  const frame = (language: OexLanguage, name: string, value: string): ConfigurationText => ({
    language,
    option: repairs.line(field("nameText"), name, longestName) ?? oneLine(optionId, longestName),
    value: isTyped(value, feature) ? [] : textLines(value),
  });
  const frames = languagesOf([...names.own, ...values.own]).map((language) =>
    frame(language, inLanguage(names.own, language) ?? names.best(), inLanguage(values.own, language) ?? ""),
  );
  if (frames.some(({ language }) => language.code === reader.documentLanguage)) return frames;
  return [frame({ code: reader.documentLanguage }, names.best(), values.best()), ...frames];
}

/** A value typed in by the user has no name. */
function isTyped(text: string, { value }: Feature): boolean {
  return text.trim() === value.trim();
}

function languagesOf(texts: readonly LanguageText[]): OexLanguage[] {
  return [...new Map(texts.map(({ language }) => [keyOf(language), language])).values()];
}

function inLanguage(texts: readonly LanguageText[], language: OexLanguage): string | undefined {
  return texts.find((text) => keyOf(text.language) === keyOf(language))?.value;
}

function keyOf({ code, country }: OexLanguage): string {
  return `${code}-${country ?? ""}`;
}
