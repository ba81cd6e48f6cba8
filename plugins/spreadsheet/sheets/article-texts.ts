/** Texts of the lines of the article list. */
import {
  articleNumbers,
  descriptionTexts,
  fieldValue,
  type Item,
  itemStatus,
  manufacturerNames,
  type PositionItem,
  seriesNames,
  type ViewNode,
  variantLines,
  visibleFeatures,
} from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { Words } from "../words/english.js";

/** The type of a line, in words. */
export function typeName(node: ViewNode, isPart: boolean, words: Words): string {
  const { item } = node;
  switch (item.type) {
    case "folder":
      return words.typeFolder;
    case "text":
      return words.typeText;
    case "setArticle":
      return words.typeSet;
    case "userArticle":
      return isPart ? words.typePart : words.typeUserArticle;
    case "article":
      if (item.pseudoArticle === true) return words.typePseudoArticle;
      if (isPart) return words.typePart;
      return isComposite(node) ? words.typeComposite : words.typeArticle;
  }
}

function isComposite({ item, children }: ViewNode): boolean {
  const kind = item.type === "article" ? item.articleKind : undefined;
  return kind === "aggregate" || kind === "partialPlanning" || children.length > 0;
}

/** "Alternative", "Optional", or nothing. */
export function statusName(item: Item, { project, prices, words }: ExportContext): string {
  const status = itemStatus(project, item, prices.procedure.name);
  return status === "active" ? "" : words[status];
}

/** The manufacturer's name, otherwise its id. */
export function manufacturerName(item: PositionItem, { project, texts }: ExportContext): string {
  const name = texts.ofItem(manufacturerNames(project, item), item.id, "manufacturerName");
  return name || (item.manufacturerId ?? "");
}

/** Short text of an article, name of a folder, or text of a text item. */
export function shortText(item: Item, context: ExportContext): string {
  if (item.type === "folder") return context.texts.ofItem(item.name, item.id, "name");
  if (item.type === "text") return context.texts.ofItem(item.text, item.id, "text");
  return description(item, "shortText", context);
}

/** Long text of an article, folder or text item; may be empty. */
export function longText(item: Item, context: ExportContext): string {
  if (item.type === "folder" || item.type === "text")
    return context.texts.ofItem(item.longText, item.id, "longText");
  return description(item, "longText", context);
}

/** Identification and variant text of an article. */
export function articleTexts(item: PositionItem, context: ExportContext) {
  const { project, texts, externalRefColumn } = context;
  return {
    manufacturer: manufacturerName(item, context),
    series: texts.ofItem(seriesNames(project, item), item.id, "seriesName") || (item.seriesId ?? ""),
    articleNumber: articleNumbers(item).shown,
    variantText: context.withVariantText ? variantText(item, context) : "",
    externalReference:
      externalRefColumn === undefined ? "" : (fieldValue(project, item, externalRefColumn)?.value ?? ""),
  };
}

function variantText(item: PositionItem, context: ExportContext): string {
  const features = visibleFeatures(item, (text, field) => context.texts.ofItem(text, item.id, field));
  return variantLines(description(item, "featureText", context), features).join("\n");
}

function description(
  item: PositionItem,
  field: "shortText" | "longText" | "featureText",
  { texts, languages }: ExportContext,
): string {
  return texts.ofItem(descriptionTexts(item, field, languages), item.id, field);
}
