import type { Exact } from "@slipway/sdk";

/** An exact number that is no money as text, with the digits that it has; decimals know a negative zero. */
export function decimalText(value: Exact): string {
  return value.isZero() ? "0" : value.toFixed();
}
