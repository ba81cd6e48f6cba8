/** What only articles have: numbers, descriptions, features and list prices. */
import { Decimal } from "decimal.js";
import type {
  ArticleItem,
  Descriptions,
  Feature,
  PositionItem,
  ProductPrice,
  Text,
  Texts,
} from "../project/document.js";
import { scaleOf } from "./decimal-scale.js";
import type { WriteContext } from "./write-items.js";
import { writeTexts } from "./write-texts.js";
import { append, type Builder, flag } from "./xml-writing.js";

/** Numbers, texts, features and product data. */
export function writeArticleData(element: Builder, item: PositionItem, context: WriteContext): void {
  if (item.type !== "article") {
    if (item.articleNumber !== undefined) append(element, "artNr", { type: "base" }, item.articleNumber);
    writeDescriptions(element, "description", item.userDescription, item.descriptionMode);
    return;
  }
  append(element, "artNr", { type: "base" }, item.baseArticleNumber);
  const isDefault = item.useFinalArticleNumber ? "1" : undefined;
  if (item.finalArticleNumber !== undefined || isDefault) {
    append(element, "artNr", { type: "final", default: isDefault }, item.finalArticleNumber);
  }
  if (item.variantCode !== undefined) append(element, "artNr", { type: "varcode" }, item.variantCode);
  if (item.ofmlVariantCode !== undefined)
    append(element, "artNr", { type: "ofmlvarcode" }, item.ofmlVariantCode);
  writeDescriptions(element, "description", item.productDescription, item.descriptionMode);
  writeDescriptions(element, "userDescription", item.userDescription);
  writeFeatures(element, item.features, context);
  const productData = append(element, "pdInfo", {
    pdbType: "ocd",
    manufacturerId: item.manufacturerId,
    seriesId: item.seriesId,
    region: item.distributionRegion,
  });
  append(productData, "ocd", { orderUnit: item.quantity.unit });
  if (item.priceDate !== undefined) append(element, "priceDate", { value: item.priceDate });
  if (item.catalogId !== undefined) {
    append(element, "catalogInfo", { id: item.catalogId, artNr: item.baseArticleNumber });
  }
  if (item.mainArticleId !== undefined) append(element, "mainItem", { id: item.mainArticleId });
  writeProductMarks(element, item);
}

function writeProductMarks(element: Builder, item: ArticleItem): void {
  if (item.classifications && item.classifications.length > 0) {
    const list = append(element, "articleClassifications");
    for (const { system, version, classId, description } of item.classifications) {
      writeTexts(append(list, "classification", { system, version, classId }), "description", description);
    }
  }
  for (const { domain, value } of item.addStateCodes ?? [])
    append(element, "addStateCode", { type: domain }, value);
  if (item.inconsistency) {
    const mark = append(element, "inconsistency", { value: flag(item.inconsistency.flagged) });
    for (const reason of item.inconsistency.reasons ?? []) append(mark, "reason", {}, reason);
  }
}

/** Texts of a position; `default='1'` marks those that are its usual ones. */
function writeDescriptions(
  element: Builder,
  name: string,
  descriptions: Descriptions | undefined,
  mode?: PositionItem["descriptionMode"],
): void {
  const write = (type: string, texts: Texts | undefined, usual: boolean): void => {
    const attribute = mode === undefined ? undefined : flag(usual);
    if (texts !== undefined || (usual && mode !== undefined)) {
      writeTexts(append(element, name, { type, default: attribute }), "text", texts);
    }
  };
  write("short", descriptions?.shortText, mode === "short" || mode === "both");
  write("long", descriptions?.longText, mode === "long" || mode === "both");
  write("features", descriptions?.featureText, false);
}

/** Texts that an earlier feature has are written as a reference to it. */
function writeFeatures(element: Builder, features: readonly Feature[], context: WriteContext): void {
  if (features.length === 0) return;
  const list = append(element, "features");
  for (const { name, value, nameText, valueText, visible } of features) {
    const id = `feature.${context.features}`;
    context.features += 1;
    const knownName = earlier(context, "nameText", nameText, id);
    const knownValue = earlier(context, "valueText", valueText, id);
    const feature = append(list, "feature", {
      name,
      value,
      flags: flag(visible),
      id,
      nameText: knownName,
      valueText: knownValue,
    });
    if (knownName === undefined) writeTexts(feature, "nameText", nameText);
    if (knownValue === undefined) writeTexts(feature, "valueText", valueText);
    if (visible) writeLines(feature, nameText, valueText);
  }
}

/** The id of the feature that has these texts already; else they are remembered under `id`. */
function earlier(context: WriteContext, kind: string, texts: Texts, id: string): string | undefined {
  if (texts.length === 0) return undefined;
  const key = `${kind} ${JSON.stringify(texts)}`;
  const known = context.featureTexts.get(key);
  if (known === undefined) context.featureTexts.set(key, id);
  return known;
}

/** The line of the variant description, in every language that has both its halves. */
function writeLines(feature: Builder, nameText: Texts, valueText: Texts): void {
  for (const { lang, value } of nameText) {
    const other: Text | undefined = valueText.find((text) => text.lang === lang);
    if (!other) continue;
    const line = append(
      append(feature, "descrText", { lang: lang === "und" ? undefined : lang }),
      "descrLine",
    );
    append(line, "descrField0", {}, value);
    append(line, "descrField1", {}, other.value);
  }
}

/** A list price is written as a whole, its components as the parts of it that are no base price. */
export function writePrices(element: Builder, prices: readonly ProductPrice[]): void {
  for (const price of prices) {
    const type = price.side === "sales" ? "sale" : "purchase";
    const amounts = (price.components ?? []).map(({ amount }) => amount.value);
    const scale = Math.max(0, ...[price.base.value, ...amounts].map(scaleOf));
    const total = amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(price.base.value));
    append(element, "itemPrice", {
      type,
      pd: "1",
      currency: price.base.currency,
      value: total.toFixed(scale),
    });
    const components = append(element, "itemPriceComponents", { type });
    for (const { label, amount } of price.components ?? []) {
      const currency = amount.kind === "money" ? amount.currency : price.base.currency;
      writeTexts(append(components, "itemPriceComponent", { currency, value: amount.value }), "name", label);
    }
  }
}
