import { Exact, one } from "../pricing/exact.js";
import type { Item, Quantity } from "../project/document.js";
import { isPosition } from "../project/item-tree.js";
import type { Basket } from "./basket-owners.js";

/** How much of some items the whole project holds; undefined where none of them is a position. */
export type TotalQuantity = (items: readonly Item[]) => Quantity | undefined;

/**
 * Quantities of parts are per composite or set; here they are multiplied up to what the project holds in total, so
 * that quantity times unit price is the price of a line. Quantities of several items add up in the unit of the first.
 */
export function totalQuantities(basket: Basket): TotalQuantity {
  const factors = new Map<string, Exact>();
  const visit = (items: readonly Item[], factor: Exact): void => {
    for (const item of items) {
      const own = isPosition(item) ? factor.times(item.quantity.value) : factor;
      factors.set(item.id, own);
      visit(basket.children(item), own);
    }
  };
  visit(basket.top, one);
  return (items) => {
    const positions = items.filter(isPosition);
    const [first] = positions;
    if (first === undefined) return undefined;
    const total = positions.reduce((sum, item) => sum.plus(factors.get(item.id) ?? one), new Exact(0));
    return { value: total.toFixed(), unit: first.quantity.unit };
  };
}
