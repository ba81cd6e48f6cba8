/** Report lines for folders, texts and articles. */
import {
  articleImages,
  articleNumbers,
  columnImage,
  customTexts,
  descriptionTexts,
  type FolderItem,
  fieldValue,
  type Item,
  type ItemImage,
  itemStatus,
  manufacturerNames,
  type PositionItem,
  printedItemIds,
  type ReportArticle,
  type ReportFolder,
  type ReportImage,
  type ReportItem,
  type ReportItemBase,
  type ReportText,
  seriesNames,
  sheetsOf,
  shownImage,
  type TextItem,
  type ViewNode,
  variantLines,
  visibleFeatures,
} from "@slipway/sdk";
import { articlePrices } from "./article-prices.js";
import { packagingData } from "./packaging.js";
import type { ReportContext } from "./report-context.js";

/** Position of a line in the tree. */
interface Place {
  depth: number;
  /** Below a composite or set. */
  isPart: boolean;
}

/** Converts the lines of a view to template data. */
export function itemData(
  nodes: readonly ViewNode[],
  context: ReportContext,
  place: Place = { depth: 0, isPart: false },
): ReportItem[] {
  return nodes.map((node) => {
    const { item } = node;
    const base = baseData(node, place.depth, context);
    const children = (isPart: boolean): ReportItem[] =>
      itemData(node.children, context, { depth: place.depth + 1, isPart });
    if (item.type === "text") return textData(item, base, context);
    if (item.type === "folder") return folderData(node, item, base, context, children(place.isPart));
    return articleData(node, item, { ...base, isPart: place.isPart, children: children(true) }, context);
  });
}

function baseData(
  { id, items, position }: ViewNode,
  depth: number,
  { pageBreaks }: ReportContext,
): ReportItemBase {
  return {
    id,
    basketItemIds: items.map((item) => item.id),
    depth,
    position,
    breakBefore: pageBreaks.before.has(position),
    breakAfter: pageBreaks.after.has(position),
  };
}

function textData(item: TextItem, base: ReportItemBase, { texts }: ReportContext): ReportText {
  return {
    kind: "text",
    ...base,
    text: texts.ofItem(item.text, item.id, "text"),
    longText: texts.ofItem(item.longText, item.id, "longText"),
  };
}

function folderData(
  node: ViewNode,
  item: FolderItem,
  base: ReportItemBase,
  context: ReportContext,
  children: ReportItem[],
): ReportFolder {
  const counted = sheetsOf(printedItemIds([node], context), context);
  const subTotal = context.prices.sheets.value(counted, "ITEM_NET_VALUE");
  return {
    kind: "folder",
    ...base,
    name: context.texts.ofItem(item.name, item.id, "name"),
    longText: context.texts.ofItem(item.longText, item.id, "longText"),
    showSubTotal: item.showSubTotal ?? false,
    subTotal: context.rounding.text(subTotal),
    children,
  };
}

// Report lines with a quantity and a price.

/** Ids of custom texts that reports print (interface document, section 2.6). */
const additionalTextId = "@add";
const specialModelInfoTextId = "71";

/** One article, user article, set or composite. For merged items, texts and pictures come from the first one. */
function articleData(
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

/** The best picture of an article in the project. */
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
