/** List prices of an article: elements `itemPrice`, `itemPriceComponents` and the older `priceComponents`. */
import { Decimal } from "decimal.js";
import type { Money, ProductPrice, Texts } from "../../project/document.js";
import { ownMember } from "../../schema/own-member.js";
import { ifAny, present, scaleOf } from "./present.js";
import { type ReadContext, warn } from "./read-context.js";
import { readDiscounts } from "./read-discounts.js";
import { attributeOf, childOf, childrenOf, decimalOf, flagOf, textsOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

type Side = ProductPrice["side"];
type Component = NonNullable<ProductPrice["components"]>[number];

const sides: [type: string, side: Side][] = [
  ["purchase", "purchase"],
  ["sale", "sales"],
];

/**
 * Uses the price from product data (`pd='1'`, unless it is an override in the project's currency); an article
 * without one, such as a user article, has the price simply stated. Components are parts of that price, so
 * the base price is the remainder. Discounts are used only if the file contains no calculation.
 */
export function readItemPrices(element: XmlElement, context: ReadContext): ProductPrice[] {
  const prices = childrenOf(element, "itemPrice");
  for (const price of prices) {
    const type = attributeOf(price, "type") ?? "";
    if (sides.every(([known]) => known !== type))
      warn(context, price, `skipped: a price of the type "${type}"`);
  }
  return sides.flatMap(([type, side]) => {
    const candidates = pricesOf(element, type);
    const chosen = chosenPrice(candidates);
    const discounts = context.isCalculated ? [] : readDiscounts(element, side, context);
    const value = decimalOf(chosen, "value");
    const currency = attributeOf(chosen, "currency");
    if (chosen === undefined || value === undefined) {
      if (discounts.length > 0) warn(context, element, `skipped: a ${side} discount without a ${side} price`);
      return [];
    }
    if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) {
      warn(context, chosen, "skipped: a price without a currency");
      return [];
    }
    const base = { value, currency };
    if (!context.isCalculated) {
      const stated = [
        ...effectivePrices(candidates, currency),
        ...childrenOf(childOf(element, "artCalc"), calculatedPrices[side]),
      ];
      reportOtherPrices(stated, { side, base, discounts }, context);
    }
    const price = present({ side, base, discounts: ifAny(discounts) });
    return [withComponents(price, componentsOf(element, type), context)];
  });
}

const calculatedPrices = { purchase: "purchasePrice", sales: "salesPrice" } as const;

/**
 * The candidates for the price shown by the program that wrote the file: those that are not product prices
 * or, without any, those that replace the product price.
 */
function effectivePrices(candidates: readonly XmlElement[], currency: string): XmlElement[] {
  const prices = candidates.filter((price) => attributeOf(price, "currency") === currency);
  const entered = prices.filter((price) => flagOf(price, "pd") !== true);
  return entered.length > 0 ? entered : prices;
}

/**
 * Other prices than that of the product data, set by a user or a price profile, are not used to calculate the
 * article.
 */
function reportOtherPrices(
  stated: readonly XmlElement[],
  { base, discounts = [] }: ProductPrice,
  context: ReadContext,
): void {
  const known = [new Decimal(base.value), discountedPrice(base, discounts)];
  for (const element of stated) {
    const value = decimalOf(element, "value");
    if (value === undefined || attributeOf(element, "currency") !== base.currency) continue;
    if (known.some((each) => each.minus(value).abs().lt("0.01"))) continue;
    const message = `the price ${value} ${base.currency} has no effect: the article is calculated with ${base.value}`;
    warn(context, element, message);
  }
}

function discountedPrice(base: Money, discounts: NonNullable<ProductPrice["discounts"]>): Decimal {
  return discounts.reduce(
    (price, { amount }) =>
      price.minus(amount.kind === "percentage" ? price.times(amount.value).dividedBy(100) : amount.value),
    new Decimal(base.value),
  );
}

function pricesOf(article: XmlElement, type: string): XmlElement[] {
  return childrenOf(article, "itemPrice").filter((price) => attributeOf(price, "type") === type);
}

function chosenPrice(candidates: readonly XmlElement[]): XmlElement | undefined {
  return (
    candidates.find((price) => flagOf(price, "pd") === true && flagOf(price, "override") !== true) ??
    candidates.find((price) => flagOf(price, "pd") !== true)
  );
}

/** The `itemPrice` elements in use; the others are alternative prices of the same article. */
export function chosenPrices(article: XmlElement): XmlElement[] {
  return sides.flatMap(([type]) => chosenPrice(pricesOf(article, type)) ?? []);
}

/** The older form has no type; it lists components of the sales price. */
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
