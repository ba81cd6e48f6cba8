/** Writes the parts that only articles have: numbers, product data and flags. */
import type { ArticleItem, Descriptions, Feature, PositionItem, Texts } from "../../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { flag, type WriteContext, writeTextGroup, writeTexts } from "./write-context.js";

/** Limits the texts remembered for references, so that memory does not grow with the project. */
const rememberedTexts = 20_000;

/** Numbers, texts, features and product data. */
export function writeArticleData(writer: XmlWriter, item: PositionItem, context: WriteContext): void {
  if (item.type !== "article") {
    if (item.articleNumber !== undefined) writer.element("artNr", item.articleNumber, { type: "base" });
    writeDescriptions(writer, "description", item.userDescription, item.descriptionMode);
    return;
  }
  writeNumbers(writer, item);
  writeDescriptions(writer, "description", item.productDescription, item.descriptionMode);
  if (!context.asFragment) writeDescriptions(writer, "userDescription", item.userDescription);
  writeFeatures(writer, item.features, context);
  writeProductData(writer, item);
  if (item.priceDate !== undefined) writer.element("priceDate", "", { value: item.priceDate });
  writeCatalogEntry(writer, item);
  if (item.mainArticleId !== undefined && context.selection.holds(item.mainArticleId)) {
    writer.element("mainItem", "", { id: item.mainArticleId });
  }
  writeProductMarks(writer, item);
}

/** The ids that identify the product data of the article. */
function writeProductData(writer: XmlWriter, item: ArticleItem): void {
  const { databaseType, packageName, manufacturerId, seriesId, programId, salesOnly } =
    item.productData ?? {};
  writer.open("pdInfo", {
    pdbType: databaseType ?? "ocd",
    pkgName: packageName,
    manufacturerId: manufacturerId ?? item.manufacturerId,
    seriesId: seriesId ?? item.seriesId,
    progId: programId,
    region: item.distributionRegion,
    salesOnly: salesOnly === undefined ? undefined : String(salesOnly),
  });
  writer.element("ocd", "", { orderUnit: item.quantity.unit });
  writer.close();
}

function writeCatalogEntry(
  writer: XmlWriter,
  { catalogId, catalogEntry, baseArticleNumber }: ArticleItem,
): void {
  if (catalogId === undefined && catalogEntry === undefined) return;
  const { version, articleNumber, variantCode } = catalogEntry ?? {};
  writer.element("catalogInfo", "", {
    id: catalogId ?? "",
    version,
    artNr: articleNumber ?? baseArticleNumber,
    varCode: variantCode,
  });
}

function writeNumbers(writer: XmlWriter, item: ArticleItem): void {
  writer.element("artNr", item.baseArticleNumber, { type: "base" });
  const isDefault = item.useFinalArticleNumber ? "1" : undefined;
  if (item.finalArticleNumber !== undefined || isDefault) {
    writer.element("artNr", item.finalArticleNumber ?? "", { type: "final", default: isDefault });
  }
  if (item.variantCode !== undefined) writer.element("artNr", item.variantCode, { type: "varcode" });
  if (item.ofmlVariantCode !== undefined) {
    writer.element("artNr", item.ofmlVariantCode, { type: "ofmlvarcode" });
  }
}

function writeProductMarks(writer: XmlWriter, item: ArticleItem): void {
  if (item.classifications && item.classifications.length > 0) {
    writer.open("articleClassifications");
    for (const { system, version, classId, description } of item.classifications) {
      const group = { element: "classification", attributes: { system, version, classId } };
      writeTextGroup(writer, group, "description", description);
    }
    writer.close();
  }
  for (const { domain, value } of item.addStateCodes ?? []) {
    writer.element("addStateCode", value, { type: domain });
  }
  if (item.inconsistency) {
    writer.open("inconsistency", { value: flag(item.inconsistency.flagged) });
    for (const reason of item.inconsistency.reasons ?? []) writer.element("text", reason);
    writer.close();
  }
}

/** Short, long and feature text as elements `name`; `default='1'` marks the default ones. */
function writeDescriptions(
  writer: XmlWriter,
  name: string,
  descriptions: Descriptions | undefined,
  mode?: PositionItem["descriptionMode"],
): void {
  const write = (type: string, texts: Texts | undefined, usual: boolean): void => {
    const attribute = mode === undefined ? undefined : flag(usual);
    if (texts !== undefined || (usual && mode !== undefined)) {
      writeTextGroup(writer, { element: name, attributes: { type, default: attribute } }, "text", texts);
    }
  };
  write("short", descriptions?.shortText, mode === "short" || mode === "both");
  write("long", descriptions?.longText, mode === "long" || mode === "both");
  write("features", descriptions?.featureText, false);
}

/** Writes the features; texts of an earlier feature are written as a reference to it. */
function writeFeatures(writer: XmlWriter, features: readonly Feature[], context: WriteContext): void {
  if (features.length === 0) return;
  writer.open("features");
  for (const { name, value, nameText, valueText, visible } of features) {
    const id = `feature.${context.features}`;
    context.features += 1;
    const knownName = earlier(context, "nameText", nameText, id);
    const knownValue = earlier(context, "valueText", valueText, id);
    writer.open("feature", {
      name,
      value,
      flags: flag(visible),
      id,
      nameText: knownName,
      valueText: knownValue,
    });
    if (knownName === undefined) writeTexts(writer, "nameText", nameText);
    if (knownValue === undefined) writeTexts(writer, "valueText", valueText);
    if (visible) writeLines(writer, nameText, valueText);
    writer.close();
  }
  writer.close();
}

/** The id of the earlier feature with these texts; otherwise remembers them under `id`. */
function earlier(context: WriteContext, kind: string, texts: Texts, id: string): string | undefined {
  if (texts.length === 0) return undefined;
  const key = `${kind} ${JSON.stringify(texts)}`;
  const known = context.featureTexts.get(key);
  if (known !== undefined) return known;
  if (context.featureTexts.size >= rememberedTexts) context.featureTexts.clear();
  context.featureTexts.set(key, id);
  return undefined;
}

/** The line of the variant description, in every language that both texts have. */
function writeLines(writer: XmlWriter, nameText: Texts, valueText: Texts): void {
  for (const { lang, value } of nameText) {
    const other = valueText.find((text) => text.lang === lang);
    if (!other) continue;
    writer.open("descrText", { lang: lang === "und" ? undefined : lang });
    writer.open("descrLine");
    writer.element("descrField0", value);
    writer.element("descrField1", other.value);
    writer.close();
    writer.close();
  }
}
