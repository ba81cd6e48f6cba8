/** The sheets behind the lines of a view, and what an item counts as in the totals of a project. */

import type { Item, ProjectDocument, Sheet } from "../project/document.js";
import { isPosition, itemParents } from "../project/item-tree.js";
import type { Suppression } from "../schema/errors.js";
import { nestedBasket } from "../views/basket-owners.js";
import type { ViewNode } from "../views/view-node.js";
import type { ProjectPrices } from "./project-prices.js";

/** The context for reading the prices of lines. */
export interface PriceContext {
  /** The project of the lines. */
  project: ProjectDocument;
  /** Its prices in one scheme, from `projectPrices`. */
  prices: ProjectPrices;
}

/** The sheets for the price of one line, without the lines below it. */
export function lineSheets(node: ViewNode, context: PriceContext): Sheet[] {
  return sheetsOf(lineItemIds(node, context), context);
}

/** The sheets of items, skipping items without a sheet. */
export function sheetsOf(itemIds: readonly string[], { prices }: PriceContext): Sheet[] {
  return itemIds.flatMap((id) => prices.calculation.items[id] ?? []);
}

/**
 * Ids of the items whose sheets are included in the totals of the lines and their descendants: without
 * alternative or optional items; sets by their own sheet, frames by their content only. Each item is included
 * once, even if several lines refer to it.
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
 * Ids of the items of a line that have a sheet; for an active line, only active items. Parts are left out if
 * the line also refers to their set, whose sheet is their sum.
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
 * Whether the sheets `own` of an item are the sum of its parts, which then must not be counted in addition:
 * true for sets, and for pseudo articles with a non-empty sheet.
 */
export function isSumOfParts(item: Item, own: readonly string[], context: PriceContext): boolean {
  if (item.type === "setArticle") return true;
  const pseudo = item.type === "article" && item.pseudoArticle === true;
  return pseudo && !context.prices.sheets.value(sheetsOf(own, context), "ITEM_NET_VALUE").isZero();
}

/** The error for an item without a sheet in the calculation. */
export function missingSheet(item: Item, { prices }: PriceContext): Suppression {
  return {
    id: "item-price-error",
    message: `The calculation "${prices.procedure.name}" has no prices for the item ${item.id}. Calculate the project again.`,
    additionalInformation: { itemId: item.id },
  };
}

function statusOf(item: Item, { project, prices }: PriceContext): ReturnType<typeof itemStatus> {
  return itemStatus(project, item, prices.procedure.name);
}

/** "alternative" and "optional" positions do not count in totals. */
export type ItemStatus = "active" | "alternative" | "optional";

/** What an item counts as in a scheme; a part of an alternative set or composite is alternative too. */
export function itemStatus(project: ProjectDocument, item: Item, scheme: string): ItemStatus {
  const parents = itemParents(project);
  for (let each: Item | undefined = item; each !== undefined; each = parents.get(each.id)) {
    const status = ownItemStatus(each, scheme);
    if (status !== "active") return status;
  }
  return "active";
}

/** The role of an item without its owners. */
export function ownItemStatus(item: Item, scheme: string): ItemStatus {
  if (!isPosition(item)) return "active";
  const entry = item.inactive?.find((each) => each.scheme === undefined || each.scheme === scheme);
  return entry?.kind ?? "active";
}
