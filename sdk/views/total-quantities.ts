import { Exact, one } from "../exact.js";
import type { Item, Quantity } from "../project/document.js";
import { isPosition } from "../project/item-tree.js";
import type { Basket } from "./basket-owners.js";

/** How much of some items the whole project holds; undefined where none of them is a position. */
export type TotalQuantity = (items: readonly Item[]) => Quantity | undefined;

/**
 * Quantities of parts are per composite or set; here they are multiplied up to what the project holds in total, so
 * that quantity times unit price is the price of a line. Quantities of several items add up in the unit of the first;
 * a part of another of them adds nothing: three desks with their drawers are three.
 */
export function totalQuantities(basket: Basket): TotalQuantity {
  const factors = new Map<string, Exact>();
  const owners = new Map<string, Item>();
  const visit = (items: readonly Item[], factor: Exact, owner?: Item): void => {
    for (const item of items) {
      const own = isPosition(item) ? factor.times(item.quantity.value) : factor;
      factors.set(item.id, own);
      if (owner !== undefined) owners.set(item.id, owner);
      visit(basket.children(item), own, item);
    }
  };
  visit(basket.top, one);
  const isPartOf = (item: Item, others: ReadonlySet<Item>): boolean => {
    for (let at = owners.get(item.id); at !== undefined; at = owners.get(at.id)) {
      if (others.has(at)) return true;
    }
    return false;
  };
  return (items) => {
    const all = new Set(items.filter(isPosition));
    const positions = [...all].filter((item) => !isPartOf(item, all));
    const [first] = positions;
    if (first === undefined) return undefined;
    const total = positions.reduce((sum, item) => sum.plus(factors.get(item.id) ?? one), new Exact(0));
    return { value: total.toFixed(), unit: first.quantity.unit };
  };
}
