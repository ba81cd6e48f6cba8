/** Articles and user articles (OEX reference, section 5.2). */
import {
  type ArticleItem,
  articleNumbers,
  type Feature,
  type PositionItem,
  present,
  type Texts,
  type UserArticleItem,
} from "@slipway/sdk";
import { missingCode } from "../context/export-context.js";
import type {
  Configuration,
  ConfigurationText,
  OexArticle,
  OexLanguage,
  OrganisationalDatum,
  PricingLine,
} from "../document/oex-document.js";
import { code, codeForms, type FieldRepairs } from "../repair/repairs.js";
import { oneLine, textLines } from "../repair/text-lines.js";
import { articleTexts, isModified } from "../texts/item-texts.js";
import type { LanguageText } from "../texts/text-reader.js";
import type { ItemContext } from "./item-context.js";
import {
  clientNumber,
  datum,
  itemMeasures,
  itemPlace,
  itemQuantity,
  obxReference,
  pictureReferences,
  placeData,
} from "./item-fields.js";

// Classifications of articles (OEX reference, section 8, `aClassSystem`).

/** Predefined systems that have no version in their name. */
const withoutVersion = new Set(["UNSPSC", "ECO_FR"]);

/** Creates the article with its price lines. */
export async function createArticle(
  item: ArticleItem | UserArticleItem,
  pricing: PricingLine[],
  context: ItemContext,
): Promise<OexArticle> {
  const { repairs } = context;
  const { base, final } = articleNumbers(item);
  const number = repairs.line("baseArticleNumber", base) ?? repairs.line("finalArticleNumber", final);
  const quantity = itemQuantity(item, context);
  const codes = {
    vendor: context.codes.manufacturer(item, repairs) ?? missingVendor("manufacturerId", repairs),
    series: context.codes.seriesOf(item, repairs) ?? missingVendor("seriesId", repairs),
  };
  return {
    kind: "article",
    ...itemPlace(context),
    ...references(context),
    pseudo: item.type === "article" && item.pseudoArticle === true,
    ...stateCodes(item, context),
    ...clientNumber(item, context),
    articleNumber: number ?? repairs.requiredLine("articleNumber", "", 1, missingCode),
    status: status(item, context),
    ...codes,
    ...catalog(item),
    ...quantity,
    ...itemMeasures(item, quantity.quantity, repairs),
    classifications: item.type === "article" ? classifications(item, repairs) : [],
    configurations: item.type === "article" ? configurations(item, context) : [],
    organisation: [...placeData(item, context), ...articleData(item, context)],
    texts: articleTexts(item, number ?? "", context),
    references: [...(await pictureReferences(item, context)), ...obxReference(item, context)],
    pricing,
  };
}

function missingVendor(field: string, repairs: FieldRepairs): string {
  return repairs.requiredCode(field, "", codeForms.vendor, missingCode);
}

/** Created by the user, modified or original. */
function status(item: PositionItem, context: ItemContext): OexArticle["status"] {
  if (item.type !== "article") return "C";
  return isModified(item, context) ? "M" : "O";
}

/** Numbers of other items of the document. */
function references({ selected: { alternativeTo, composite } }: ItemContext) {
  return present({ alternativeTo: alternativeTo?.itemNumber, compositeNumber: composite?.itemNumber });
}

/** OFML states; that of the meta type comes first. */
function stateCodes(item: PositionItem, { configuration, format, repairs }: ItemContext) {
  if (item.type !== "article" || !configuration.structuralInformation) return {};
  const codes = (item.addStateCodes ?? []).flatMap(({ domain, value }) => {
    const code = repairs.line("addStateCodes", value);
    return code === undefined ? [] : [{ code, isMeta: /meta/i.test(domain) }];
  });
  const sorted = [...codes.filter(({ isMeta }) => isMeta), ...codes.filter(({ isMeta }) => !isMeta)];
  const written = sorted.slice(0, format.version === "2.3" ? 1 : 2);
  for (const { code } of sorted.slice(written.length)) {
    repairs.report("addStateCodes", code, `left out: an article has ${written.length} of them at most`);
  }
  const [first, second] = written;
  return present({ stateCode: first?.code, stateCode2: second?.code });
}

/** Only if it is a valid catalog id of the format (OEX reference, section 18); projects use many other forms. */
function catalog(item: PositionItem) {
  if (item.type !== "article") return {};
  return present({ catalogId: code(item.catalogId ?? "", codeForms.catalogId) });
}

/** The configuration result: the OFML variant code and the final article number. */
function articleData(item: PositionItem, { format, repairs }: ItemContext): OrganisationalDatum[] {
  if (item.type !== "article") return [];
  const variantType = format.version === "2.3" ? "CNF" : "OVC";
  return [
    ...datum(variantType, repairs.line("ofmlVariantCode", item.ofmlVariantCode)),
    ...datum("ITM", repairs.line("finalArticleNumber", item.finalArticleNumber)),
  ];
}

/** The classes of an article, with names of systems such as "ECLASS-11.0". */
function classifications(item: ArticleItem, repairs: FieldRepairs): OexArticle["classifications"] {
  return (item.classifications ?? []).flatMap(({ system: given, version, classId }) => {
    const value = repairs.line("classifications.classId", classId);
    const system = systemName(given, version);
    if (value === undefined) return [];
    if (system === "") {
      repairs.report("classifications.system", given, `left out with class "${value}": it names no system`);
      return [];
    }
    return [{ system, value }];
  });
}

/** Capitals, digits and signs: "eCl@ss" of version "11.0" is "ECLASS-11.0". */
function systemName(system: string, version: string | undefined): string {
  const name = printable(system).replace(/^ECL@SS/, "ECLASS");
  const suffix = printable(version ?? "");
  if (name === "" || suffix === "" || withoutVersion.has(name) || name.endsWith(`-${suffix}`)) return name;
  return `${name}-${suffix}`;
}

function printable(text: string): string {
  return text.toUpperCase().replace(/[^!-`{-~]/g, "");
}

// The configuration of an article (OEX reference, section 13).

/** Maximum length of a feature name. */
const longestName = 80;

/** One per feature with a value, in the order of the project. */
function configurations(item: ArticleItem, context: ItemContext): Configuration[] {
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
