/** List prices of an article: elements `itemPrice`, `itemPriceComponents` and the older `priceComponents`. */
import { Decimal } from "decimal.js";
import { ownMember } from "../own-member.js";
import type { ProductPrice, Texts } from "../project/document.js";
import { scaleOf } from "./decimal-scale.js";
import { textsOf } from "./localized-texts.js";
import { type ReadContext, warn } from "./read-context.js";
import { attributeOf, childrenOf, decimalOf, flagOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

type Side = ProductPrice["side"];
type Component = NonNullable<ProductPrice["components"]>[number];

const sides: [type: string, side: Side][] = [
  ["purchase", "purchase"],
  ["sale", "sales"],
];

/**
 * The price from product data (`pd='1'`, unless it is an override in the project's currency) counts; an article
 * without one, such as a user article, has the price that is simply stated. Components are parts of that price, so
 * the base price is what remains without them.
 */
export function readItemPrices(element: XmlElement, context: ReadContext): ProductPrice[] {
  const prices = childrenOf(element, "itemPrice");
  return sides.flatMap(([type, side]) => {
    const candidates = prices.filter((price) => attributeOf(price, "type") === type);
    const chosen =
      candidates.find((price) => flagOf(price, "pd") === true && flagOf(price, "override") !== true) ??
      candidates.find((price) => flagOf(price, "pd") !== true);
    const value = decimalOf(chosen, "value");
    const currency = attributeOf(chosen, "currency");
    if (chosen === undefined || value === undefined) return [];
    if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) {
      warn(context, chosen, "skipped: a price without a currency");
      return [];
    }
    return [withComponents({ side, base: { value, currency } }, componentsOf(element, type), context)];
  });
}

/** The older form has no type and states parts of the sales price. */
function componentsOf(article: XmlElement, type: string): XmlElement[] {
  const lists = childrenOf(article, "itemPriceComponents").filter(
    (list) => attributeOf(list, "type") === type,
  );
  const found = lists.flatMap((list) => list.children);
  return found.length > 0 || type !== "sale"
    ? found
    : childrenOf(article, "priceComponents").flatMap((list) => list.children);
}

function withComponents(price: ProductPrice, elements: XmlElement[], context: ReadContext): ProductPrice {
  const total = new Decimal(price.base.value);
  const components = elements.flatMap((element) =>
    readComponent(element, total, price.base.currency, context),
  );
  if (components.length === 0) return price;
  const scale = Math.max(...[price.base.value, ...components.map(({ amount }) => amount.value)].map(scaleOf));
  const parts = components.reduce((sum, { amount }) => sum.plus(amount.value), new Decimal(0));
  return { ...price, base: { ...price.base, value: total.minus(parts).toFixed(scale) }, components };
}

/** Percentages are shares of the whole price; their amounts are rounded to 0.01. */
function readComponent(
  element: XmlElement,
  total: Decimal,
  priceCurrency: string,
  context: ReadContext,
): Component[] {
  const value = decimalOf(element, "value");
  const currency = attributeOf(element, "currency") ?? priceCurrency;
  if (value === undefined) {
    warn(context, element, "skipped: a price component without a value");
    return [];
  }
  const amount = componentAmount(value, currency, total, priceCurrency, context);
  if (amount === undefined) {
    warn(
      context,
      element,
      `skipped: no exchange rate from ${currency} to ${priceCurrency} for a price component`,
    );
    return [];
  }
  return [
    { label: componentLabel(element), amount: { kind: "money", value: amount, currency: priceCurrency } },
  ];
}

function componentAmount(
  value: string,
  currency: string,
  total: Decimal,
  priceCurrency: string,
  context: ReadContext,
): string | undefined {
  if (currency === priceCurrency) return value;
  if (currency === "%") return total.times(value).dividedBy(100).toDecimalPlaces(2).toFixed();
  const from = ownMember(context.settings.exchangeRates, currency);
  const to = ownMember(context.settings.exchangeRates, priceCurrency);
  if (from === undefined || to === undefined || new Decimal(from).isZero()) return undefined;
  return new Decimal(value).dividedBy(from).times(to).toDecimalPlaces(2).toFixed();
}

function componentLabel(element: XmlElement): Texts {
  const texts = textsOf([...childrenOf(element, "name"), ...childrenOf(element, "text")]);
  const name = attributeOf(element, "name");
  return texts.length > 0 || name === undefined ? texts : [{ lang: "und", value: name }];
}
