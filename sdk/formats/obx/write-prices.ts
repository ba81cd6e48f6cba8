/** List prices of an article: elements `itemPrice` and `itemPriceComponents`. */
import { Decimal } from "decimal.js";
import type { ProductPrice } from "../../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { scaleOf } from "./present.js";
import { discountElements } from "./read-discounts.js";
import { writeTextGroup } from "./write-context.js";

/** A list price is written as the total; its components are written without the base price. */
export function writePrices(writer: XmlWriter, prices: readonly ProductPrice[]): void {
  for (const price of prices) {
    const { side, base, components = [] } = price;
    const type = side === "sales" ? "sale" : "purchase";
    writer.element("itemPrice", "", { type, pd: "1", currency: base.currency, value: listPriceTotal(price) });
    writer.open("itemPriceComponents", { type });
    for (const { label, amount } of components) {
      const currency = amount.kind === "money" ? amount.currency : base.currency;
      const group = { element: "itemPriceComponent", attributes: { currency, value: amount.value } };
      writeTextGroup(writer, group, "name", label);
    }
    writer.close();
  }
}

/** Discounts are written into the calculation of the article, as predefined discounts. */
export function writeDiscounts(writer: XmlWriter, prices: readonly ProductPrice[]): void {
  if (prices.every(({ discounts = [] }) => discounts.length === 0)) return;
  writer.open("artCalc");
  for (const { side, discounts = [] } of prices) {
    for (const { label, amount } of discounts) {
      const stated =
        amount.kind === "percentage"
          ? { relative: amount.value }
          : { currency: amount.currency, value: amount.value };
      const name = label?.[0]?.value;
      writer.element(discountElements[side].own, "", { label: name, incr: "1", ...stated });
    }
  }
  writer.close();
}

/** The list price with all its components. */
export function listPriceTotal({ base, components = [] }: ProductPrice): string {
  const amounts = components.map(({ amount }) => amount.value);
  const scale = Math.max(0, ...[base.value, ...amounts].map(scaleOf));
  return amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(base.value)).toFixed(scale);
}
