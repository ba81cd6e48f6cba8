/** The price of a line (OEX reference, section 15.2). */
import { Exact, present } from "@slipway/sdk";
import type { PriceArea, PricingLine } from "../document/frames.js";
import { amountText } from "../pricing/pricing-lines.js";
import { itemChanges } from "./trade-changes.js";
import type { LinePrice } from "./trade-order.js";

/** Decimals of a net price that is not one of the document's. */
const priceDecimals = 10;

/**
 * The document's net price, if the quantity leads from it to the document's total to the cent; else the total as the price of
 * the whole quantity. `afterHeader`: the document hides the header's discounts, so prices are those after them.
 */
export function linePrice(
  lines: readonly PricingLine[],
  area: PriceArea,
  quantity: string,
  afterHeader: boolean,
): LinePrice {
  const own = lines.filter((line) => line.area === area);
  const of = (type: PricingLine["type"]): PricingLine | undefined => own.find((line) => line.type === type);
  const total = ((afterHeader ? of("TNEH") : undefined) ?? of("TNET"))?.value ?? "0.00";
  const net = (afterHeader ? of("SNEH") : undefined) ?? of("SNET");
  const gross = of("SGRO");
  const isChanged = afterHeader && of("TNEH") !== undefined && of("TNEH")?.value !== of("TNET")?.value;
  return present({
    ...netPrice(net, total, quantity),
    total,
    gross:
      gross === undefined || isChanged
        ? undefined
        : present({ amount: gross.value, basis: gross.priceUnit, changes: itemChanges(lines, area) }),
  });
}

function netPrice(
  net: PricingLine | undefined,
  total: string,
  quantity: string,
): Pick<LinePrice, "net" | "basis"> {
  if (net !== undefined) {
    const { value, priceUnit } = net;
    const price = present({ net: value, basis: priceUnit });
    if (lineTotal(price, quantity).eq(total)) return price;
  }
  const isNothing = new Exact(total).isZero() || new Exact(quantity).isZero();
  return isNothing ? { net: total } : { net: total, basis: quantity };
}

/** What a price is for a quantity, rounded to two decimals. */
export function lineTotal({ net, basis = "1" }: Pick<LinePrice, "net" | "basis">, quantity: string): Exact {
  return new Exact(net).times(quantity).div(basis).toDecimalPlaces(2, Exact.ROUND_HALF_UP);
}

/**
 * The gross price for the same number of units as the net price, and the difference, without the steps between; undefined if
 * there is no gross price or it is not the higher one.
 */
export function grossOfNet({
  net,
  basis = "1",
  gross,
}: LinePrice): { gross: string; less: string } | undefined {
  if (gross === undefined) return undefined;
  const amount = new Exact(gross.amount).times(basis).div(gross.basis ?? "1");
  const rounded = amount.toDecimalPlaces(priceDecimals, Exact.ROUND_HALF_UP);
  const less = rounded.minus(net);
  if (!less.gt(0)) return undefined;
  return { gross: priceText(rounded), less: priceText(less) };
}

function priceText(value: Exact): string {
  return value.decimalPlaces() <= 2 ? amountText(value) : value.toFixed();
}
