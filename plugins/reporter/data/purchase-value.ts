import { type Exact, type PriceLine, tagged } from "@slipway/sdk";

/** What the lines of a sheet say that it costs to buy; undefined where nobody states a purchase price. */
export function purchaseValue(lines: readonly PriceLine[]): Exact | undefined {
  const purchase = tagged(lines, "PURCHASE_VALUE");
  if (purchase === undefined) return undefined;
  const isStated = lines.some(
    ({ line, sales, conditionType }) =>
      line.level < purchase.line.level && !sales && conditionType?.conditionClass === "price",
  );
  return isStated || !purchase.value.isZero() ? purchase.value : undefined;
}
