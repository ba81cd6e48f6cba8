/** The items of a project that have sheets: quantities, parents, and inclusion in totals. */

import { Exact, one } from "../locale/exact.js";
import type { PositionItem, ProjectDocument, Quantity } from "../project/document.js";
import { isPosition, itemParents, walkItems } from "../project/item-tree.js";
import { badRequest } from "../schema/validation.js";

/**
 * - `priced`: articles and user articles, composites included: the price of a composite is its own, its parts have
 *   theirs, and the totals add up all of them.
 * - `sum`: set articles and, where the caller asks for it, pseudo articles: the sum of their parts, not added again.
 * - `empty`: pseudo articles otherwise: 0.00.
 */
export type PositionRole = "priced" | "sum" | "empty";

/** An item that has a sheet, with the properties its sheet depends on. */
export interface Position {
  /** The item itself. */
  readonly item: PositionItem;
  /** The source of its sheet. */
  readonly role: PositionRole;
  /** The set, composite or pseudo article that contains it. */
  parent: Position | undefined;
  /** Its quantity multiplied by the quantities of all parents: the total quantity in the document. */
  quantity: Exact;
  /** Whether the position itself is neither alternative nor optional in this scheme. */
  readonly active: boolean;
  /** Whether neither the position nor any parent is alternative or optional. */
  counts: boolean;
  /** Whether discounts apply; a parent that forbids them also forbids them for its parts. */
  discountable: boolean;
}

/** Options for `positionsOf`. */
export interface PositionOptions {
  /** Name of the pricing procedure; alternative and optional positions may depend on it. */
  scheme: string;
  /** Whether the sheet of a pseudo article is the sum of its parts; otherwise it is empty (0.00). */
  groupPseudoArticleParts: boolean;
}

/**
 * All positions in document order. Quantities of parts are per parent, as users enter them in the basket;
 * totals of the document are therefore products. Positions hidden in views (articles that are not offered or
 * not ordered) are included.
 */
export function positionsOf(project: ProjectDocument, options: PositionOptions): Position[] {
  const positions: Position[] = [];
  const byId = new Map<string, Position>();
  for (const item of walkItems(project.items)) {
    if (!isPosition(item)) continue;
    if (byId.has(item.id)) throw repeatedId(item.id);
    const position = newPosition(item, options);
    byId.set(item.id, position);
    positions.push(position);
  }
  const parents = itemParents(project);
  for (const position of positions) {
    let parent = parents.get(position.item.id);
    while (parent !== undefined && !isPosition(parent)) parent = parents.get(parent.id);
    position.parent = parent && byId.get(parent.id);
  }
  inherit(positions);
  return positions;
}

/** Whether the position is included in the totals of the document. */
export function isCounted({ role, counts }: Position): boolean {
  return role === "priced" && counts;
}

/**
 * Ids of the items that the header sheet adds up: articles, user articles and parts. Excludes sets and pseudo
 * articles (their parts are counted instead) and items that are alternative or optional in this scheme.
 */
export function countedItemIds(project: ProjectDocument, scheme: string): string[] {
  const counted = positionsOf(project, { scheme, groupPseudoArticleParts: false }).filter(isCounted);
  return counted.map(({ item }) => item.id);
}

/** The quantity that a sheet states. */
export function totalQuantity(position: Position): Quantity {
  return { value: position.quantity.toFixed(), unit: position.item.quantity.unit };
}

/**
 * The priced positions that make up the sum of each set: its parts, without alternative and optional ones.
 */
export function partsByGroup(positions: readonly Position[]): Map<Position, Position[]> {
  const groups = new Map<Position, Position[]>();
  for (const position of positions) if (position.role === "sum") groups.set(position, []);
  for (const position of positions) {
    if (position.role !== "priced") continue;
    for (let each: Position = position; each.active && each.parent !== undefined; ) {
      each = each.parent;
      groups.get(each)?.push(position);
    }
  }
  return groups;
}

function newPosition(item: PositionItem, options: PositionOptions): Position {
  const inactive = item.inactive?.some(({ scheme }) => scheme === undefined || scheme === options.scheme);
  return {
    item,
    parent: undefined,
    role: roleOf(item, options),
    quantity: new Exact(item.quantity.value),
    active: !inactive,
    counts: !inactive,
    discountable: item.discountable ?? true,
  };
}

function roleOf(item: PositionItem, options: PositionOptions): PositionRole {
  if (item.type === "setArticle") return "sum";
  if (item.type === "userArticle" || !item.pseudoArticle) return "priced";
  return options.groupPseudoArticleParts ? "sum" : "empty";
}

function inherit(positions: readonly Position[]): void {
  const done = new Set<Position>();
  const visit = (position: Position): void => {
    if (done.has(position)) return;
    done.add(position);
    const { parent } = position;
    if (parent === undefined) return;
    visit(parent);
    if (!parent.quantity.eq(one)) position.quantity = position.quantity.times(parent.quantity);
    position.counts = position.counts && parent.counts;
    position.discountable = position.discountable && parent.discountable;
  };
  for (const position of positions) visit(position);
}

function repeatedId(id: string): Error {
  return badRequest({ message: `The project has two items with the id ${id}; give each item its own id.` }, [
    { path: "items", expected: "ids that occur once", received: `${id} twice` },
  ]);
}
