/** Report lines with a quantity and a price. */
import {
  articleImages,
  articleNumbers,
  columnImage,
  customTexts,
  descriptionTexts,
  fieldValue,
  type Item,
  type ItemImage,
  itemStatus,
  manufacturerNames,
  type PositionItem,
  type ReportArticle,
  type ReportImage,
  type ReportItem,
  type ReportItemBase,
  seriesNames,
  shownImage,
  type ViewNode,
  variantLines,
  visibleFeatures,
} from "@slipway/sdk";
import { articlePrices } from "./article-prices.js";
import { packagingData } from "./packaging.js";
import type { ReportContext } from "./report-context.js";

/** Ids of custom texts that reports print (interface document, section 2.6). */
const additionalTextId = "@add";
const specialModelInfoTextId = "71";

/** One article, user article, set or composite. For merged items, texts and pictures come from the first one. */
export function articleData(
  node: ViewNode,
  item: PositionItem,
  base: ReportItemBase & { isPart: boolean; children: ReportItem[] },
  context: ReportContext,
): ReportArticle {
  const quantity = node.quantity ?? item.quantity;
  return {
    kind: "article",
    ...base,
    articleType: articleType(item, base.children),
    collapsed: item.type === "setArticle" && item.collapsed === true,
    isPseudo: item.type === "article" && item.pseudoArticle === true,
    status: itemStatus(context.project, item, context.prices.procedure.name),
    quantity: quantity.value,
    unit: quantity.unit,
    ...identification(item, context),
    ...descriptions(item, context),
    packaging: packagingData(item.packaging, quantity.value),
    image: articleImage(item, context),
    extraImages: extraImages(item, context),
    ...articlePrices(node, quantity.value, context),
  };
}

function articleType(item: PositionItem, children: readonly ReportItem[]): ReportArticle["articleType"] {
  if (item.type !== "article") return item.type;
  const isComposite = item.articleKind === "aggregate" || item.articleKind === "partialPlanning";
  return isComposite || children.length > 0 ? "composite" : "article";
}

function identification(item: PositionItem, { project, columns, texts }: ReportContext) {
  const { externalReference } = columns;
  const numbers = articleNumbers(item);
  return {
    externalReference:
      externalReference === undefined ? "" : (fieldValue(project, item, externalReference)?.value ?? ""),
    manufacturerId: item.manufacturerId ?? "",
    manufacturerName: texts.ofItem(manufacturerNames(project, item), item.id, "manufacturerName"),
    seriesId: item.seriesId ?? "",
    seriesName: texts.ofItem(seriesNames(project, item), item.id, "seriesName"),
    articleNumber: numbers.shown,
    baseArticleNumber: numbers.base,
    finalArticleNumber: numbers.final,
  };
}

/**
 * Short and long text, regardless of `descriptionMode`, which applies to lists. Template options decide which of them a
 * report prints.
 */
function descriptions(item: PositionItem, { texts, languages }: ReportContext) {
  const read = (field: "shortText" | "longText" | "featureText"): string =>
    texts.ofItem(descriptionTexts(item, field, languages), item.id, field);
  const features = visibleFeatures(item, (feature, field) => texts.ofItem(feature, item.id, field));
  return {
    shortText: read("shortText"),
    longText: read("longText"),
    variantText: variantLines(read("featureText"), features),
    features,
    specialModelInfo: texts.ofItem(customTexts(item, specialModelInfoTextId), item.id, "specialModelInfo"),
    additionalText: texts.ofItem(customTexts(item, additionalTextId), item.id, "additionalText"),
  };
}

/** The best picture of an article that the project holds. */
function articleImage(
  item: Item,
  { project, columns, imageTag, suppress }: ReportContext,
): ReportImage | null {
  const candidates = articleImages(project, item, { column: columns.preferredImage, tag: imageTag });
  const shown = shownImage(item, candidates, suppress);
  return shown === undefined ? null : reportImage(shown);
}

/** The pictures in the additional columns, in the order of the columns. */
function extraImages(item: Item, { project, columns, suppress }: ReportContext): ReportImage[] {
  return columns.images.flatMap((column) => {
    const image = columnImage(project, item, column);
    const shown = image && shownImage(item, [image], suppress);
    return shown === undefined ? [] : reportImage(shown);
  });
}

function reportImage({ asset, source }: ItemImage): ReportImage {
  return {
    url: `/assets/${asset?.sha256}`,
    width: asset?.width ?? null,
    height: asset?.height ?? null,
    source,
  };
}
