/** The sheets behind the lines of a view, and which of them count in totals. */
import type { Suppression } from "../errors.js";
import type { Item, ProjectDocument, Sheet } from "../project/document.js";
import { isPosition } from "../project/item-tree.js";
import { nestedBasket } from "../views/basket-owners.js";
import type { ViewNode } from "../views/view-node.js";
import { itemStatus } from "./item-status.js";
import type { ProjectPrices } from "./project-prices.js";

/** What reading the prices of lines needs. */
export interface PriceContext {
  /** The project of the lines. */
  project: ProjectDocument;
  /** Its prices in one scheme, as `projectPrices` gives them. */
  prices: ProjectPrices;
}

/** The sheets that make up the price of one line by itself, without the lines below it. */
export function lineSheets(node: ViewNode, context: PriceContext): Sheet[] {
  return sheetsOf(lineItemIds(node, context), context);
}

/** The sheets of items that have one. */
export function sheetsOf(itemIds: readonly string[], { prices }: PriceContext): Sheet[] {
  return itemIds.flatMap((id) => prices.calculation.items[id] ?? []);
}

/**
 * Ids of the items whose sheets lines and what is below them add to totals: no alternative or optional items, a set
 * by its own sheet, and of frames only what is in them. An item counts once, however many lines are about it.
 */
export function printedItemIds(nodes: readonly ViewNode[], context: PriceContext): string[] {
  return [...new Set(nodes.flatMap((node) => idsOfLine(node, context)))];
}

function idsOfLine(node: ViewNode, context: PriceContext): string[] {
  if (statusOf(node.item, context) !== "active") return [];
  const below = (): string[] => node.children.flatMap((child) => idsOfLine(child, context));
  if (node.frame || !isPosition(node.item)) return below();
  const own = lineItemIds(node, context);
  if (own.length === 0) return below();
  return isSumOfParts(node.item, own, context) ? own : [...own, ...below()];
}

/**
 * Ids of the items behind a line that have a sheet; of a line that counts only those that do. Parts are left out where
 * the line is also about their set, whose sheet is their sum.
 */
export function lineItemIds(node: ViewNode, context: PriceContext): string[] {
  const isActive = (item: Item): boolean => statusOf(item, context) === "active";
  const alwaysCounts = !isActive(node.item);
  const { items } = context.prices.calculation;
  const priced = node.items.filter(
    (item) => (alwaysCounts || isActive(item)) && Object.hasOwn(items, item.id),
  );
  const sums = priced.filter((item) => priced.length > 1 && isSumOfParts(item, [item.id], context));
  const summed = partIds(sums, context);
  return priced.map((item) => item.id).filter((id) => !summed.has(id));
}

function partIds(sums: readonly Item[], { project }: PriceContext): ReadonlySet<string> {
  const ids = new Set<string>();
  if (sums.length === 0) return ids;
  const basket = nestedBasket(project);
  const pending = sums.flatMap((item) => basket.children(item));
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    ids.add(item.id);
    pending.push(...basket.children(item));
  }
  return ids;
}

/**
 * Whether the sheets `own` of an item are the sum of its parts, which then do not count beside it: that of a set, and that of
 * a pseudo article where it is not empty.
 */
export function isSumOfParts(item: Item, own: readonly string[], context: PriceContext): boolean {
  if (item.type === "setArticle") return true;
  const pseudo = item.type === "article" && item.pseudoArticle === true;
  return pseudo && !context.prices.sheets.value(sheetsOf(own, context), "ITEM_NET_VALUE").isZero();
}

/** What is told of an item that the calculation has no sheet for. */
export function missingSheet(item: Item, { prices }: PriceContext): Suppression {
  return {
    id: "item-price-error",
    message: `Item ${item.id}: the calculation "${prices.procedure.name}" has no sheet for it`,
    additionalInformation: { itemId: item.id },
  };
}

function statusOf(item: Item, { project, prices }: PriceContext): ReturnType<typeof itemStatus> {
  return itemStatus(project, item, prices.procedure.name);
}
