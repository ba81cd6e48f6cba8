/** The items of a project that have sheets: their quantities, what they are part of, and which of them count. */

import { Exact, one } from "../exact.js";
import type { Item, PositionItem, ProjectDocument, Quantity } from "../project/document.js";
import { badRequest } from "../validation.js";

/**
 * - `priced`: articles and user articles, composites included: the price of a composite is its own, its parts have
 *   theirs, and the totals add up all of them.
 * - `sum`: set articles and, where the caller asks for it, pseudo articles: the sum of their parts, not added again.
 * - `empty`: pseudo articles otherwise: 0.00.
 */
export type PositionRole = "priced" | "sum" | "empty";

/** An item that has a sheet, with what that depends on. */
export interface Position {
  /** The item itself. */
  readonly item: PositionItem;
  /** Where its sheet comes from. */
  readonly role: PositionRole;
  /** The set, composite or pseudo article that it is part of. */
  parent: Position | undefined;
  /** Own quantity times the quantities of all parents: what the document needs of it in total. */
  quantity: Exact;
  /** Not an alternative or optional position in this scheme by itself. */
  readonly active: boolean;
  /** Neither it nor one of its parents is alternative or optional. */
  counts: boolean;
  /** Discounts apply; what a parent forbids is forbidden for its parts. */
  discountable: boolean;
}

/** For which pricing procedure, and how. */
export interface PositionOptions {
  /** Name of the pricing procedure; what is alternative or optional may depend on it. */
  scheme: string;
  /** The sheet of a pseudo article is the sum of its parts; otherwise it is empty (0.00). */
  groupPseudoArticleParts: boolean;
}

/**
 * All positions in document order. Quantities of parts are per parent, as in the basket, where a person enters how
 * many of a part belong into one set or composite; totals of the document are therefore products. What a view hides
 * (articles that are not offered or not ordered) counts as well.
 */
export function positionsOf(project: ProjectDocument, options: PositionOptions): Position[] {
  const positions: Position[] = [];
  const byId = new Map<string, Position>();
  const visit = (items: readonly Item[], parent: Position | undefined): void => {
    for (const item of items) {
      if (item.type === "text") continue;
      const position = item.type === "folder" ? undefined : newPosition(item, parent, options);
      if (position !== undefined) {
        if (byId.has(item.id)) throw repeatedId(item.id);
        byId.set(item.id, position);
        positions.push(position);
      }
      visit(item.children ?? [], position ?? parent);
    }
  };
  visit(project.items, undefined);
  linkFlatParts(positions, byId);
  inherit(positions);
  return positions;
}

/** Whether the totals of the document consist of this position, among others. */
export function isCounted({ role, counts }: Position): boolean {
  return role === "priced" && counts;
}

/** The quantity that a sheet states. */
export function totalQuantity(position: Position): Quantity {
  return { value: position.quantity.toFixed(), unit: position.item.quantity.unit };
}

/** The priced positions that make up the sum of each set: its parts, without alternative and optional ones. */
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

function newPosition(item: PositionItem, parent: Position | undefined, options: PositionOptions): Position {
  const inactive = item.inactive?.some(({ scheme }) => scheme === undefined || scheme === options.scheme);
  return {
    item,
    parent,
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

/** Parts that stand beside their composite or set instead of inside it name it by its id. */
function linkFlatParts(positions: readonly Position[], byId: ReadonlyMap<string, Position>): void {
  for (const position of positions) {
    if (position.item.type !== "article") continue;
    const { mainArticleId, setArticleId } = position.item;
    const named = [mainArticleId, position.parent === undefined ? setArticleId : undefined]
      .map((id) => (id === undefined ? undefined : byId.get(id)))
      .find((each) => each !== undefined && !isWithin(each, position));
    if (named !== undefined) position.parent = named;
  }
}

function isWithin(inner: Position, outer: Position): boolean {
  for (let each: Position | undefined = inner; each !== undefined; each = each.parent) {
    if (each === outer) return true;
  }
  return false;
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
  return badRequest("The project's items", [
    { path: "items", expected: "ids that occur once", received: `${id} twice` },
  ]);
}
