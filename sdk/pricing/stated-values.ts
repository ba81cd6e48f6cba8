/** Stated prices; an absent price differs from a price of zero. */

import type { Exact } from "../exact.js";
import type { Item } from "../project/document.js";
import { type PriceLine, tagged } from "./sheet-reader.js";

/** The purchase price by the lines of a sheet; undefined if none is stated. */
export function purchaseValue(lines: readonly PriceLine[]): Exact | undefined {
  const purchase = tagged(lines, "PURCHASE_VALUE");
  if (purchase === undefined) return undefined;
  const isStated = lines.some(
    ({ line, sales, conditionType }) =>
      line.level < purchase.line.level && !sales && conditionType?.conditionClass === "price",
  );
  return isStated || !purchase.value.isZero() ? purchase.value : undefined;
}

/** The net value of an item before header discounts; undefined where nothing states a sales price. A set has its parts' prices. */
export function salesValue(item: Item, lines: readonly PriceLine[]): Exact | undefined {
  const net = tagged(lines, "ITEM_NET_VALUE")?.value;
  if (net === undefined || !net.isZero() || item.type === "setArticle") return net;
  const isStated = lines.some((line) => line.sales && line.conditionType?.conditionClass === "price");
  return isStated ? net : undefined;
}
