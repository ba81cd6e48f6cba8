/** What only articles have: numbers, product data and marks. */
import type { ArticleItem, Descriptions, PositionItem, Texts } from "../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import type { WriteContext } from "./write-context.js";
import { writeFeatures } from "./write-features.js";
import { flag } from "./write-flag.js";
import { writeTextGroup } from "./write-texts.js";

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

/** The ids of the product data, without which nothing leads from the article to them. */
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

/** Short, long and feature text as elements `name`; `default='1'` marks those that are the usual ones. */
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
