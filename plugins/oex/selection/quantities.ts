/** Quantities in the format: without a sign, with at most three decimals (OEX reference, section 7). */
import { Exact, type Item, isPosition } from "@slipway/sdk";
import type { Repairs } from "../repair/repairs.js";

const decimals = 3;

/** Rounded to three decimals, half away from zero, such as "2.5". */
export function quantityText(quantity: Exact): string {
  return quantity.toDecimalPlaces(decimals, Exact.ROUND_HALF_UP).toFixed();
}

/** Whether an item's quantity is below zero. Such items and their parts are left out of documents. */
export function isNegative(item: Item): boolean {
  return isPosition(item) && new Exact(item.quantity.value).lessThan(0);
}

/** The quantity for writing. Rounding and zero are reported. */
export function writtenQuantity(quantity: Exact, repairs: Repairs): string {
  const text = quantityText(quantity);
  const value = quantity.toFixed();
  if (text !== value) repairs.report({ field: "quantity", value, change: `rounded to ${text}` });
  else if (quantity.isZero()) repairs.report({ field: "quantity", value, change: "written as 0" });
  return text;
}
