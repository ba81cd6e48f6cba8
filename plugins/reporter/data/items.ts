/** Report lines for folders and texts; `articles.ts` has the articles. */
import {
  type FolderItem,
  printedItemIds,
  type ReportFolder,
  type ReportItem,
  type ReportItemBase,
  type ReportText,
  sheetsOf,
  type TextItem,
  type ViewNode,
} from "@slipway/sdk";
import { articleData } from "./articles.js";
import type { ReportContext } from "./report-context.js";

/** Position of a line in the tree. */
export interface Place {
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
