/** Discounts that an article states: `predefVendorDiscount`, `predefItemDiscount`, and those in `artCalc`. */
import { Decimal } from "decimal.js";
import type { ProductPrice } from "../project/document.js";
import { type ReadContext, warn } from "./read-context.js";
import { attributeOf, childOf, childrenOf, decimalOf, flagOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

type PriceDiscount = NonNullable<ProductPrice["discounts"]>[number];

/** What the vendor gives counts when buying, what the item has when selling; `predefined` stands beside `artCalc`. */
export const discountElements = {
  purchase: { predefined: "predefVendorDiscount", own: "vendorDiscount" },
  sales: { predefined: "predefItemDiscount", own: "itemDiscount" },
} as const satisfies Record<ProductPrice["side"], { predefined: string; own: string }>;

/**
 * The discounts of one side, in order, each of what the ones before it leave. A discount in `artCalc` that is marked as
 * predefined and states no amount stands for the predefined ones; amounts that are stated there take their place.
 */
export function readDiscounts(
  article: XmlElement,
  side: ProductPrice["side"],
  context: Pick<ReadContext, "warnings">,
): PriceDiscount[] {
  const { predefined, own } = discountElements[side];
  const given = childrenOf(article, predefined);
  const entered = childrenOf(childOf(article, "artCalc"), own);
  const mark = entered.findIndex((each) => flagOf(each, "predefined") === true && !statesAmount(each));
  if (mark >= 0) return amountsOf([...entered.slice(0, mark), ...given, ...entered.slice(mark + 1)], context);
  return amountsOf(entered.some(statesAmount) ? entered : given, context);
}

function statesAmount(element: XmlElement): boolean {
  return attributeOf(element, "relative") !== undefined || attributeOf(element, "value") !== undefined;
}

function amountsOf(elements: readonly XmlElement[], context: Pick<ReadContext, "warnings">): PriceDiscount[] {
  const discounts: PriceDiscount[] = [];
  for (const element of elements) {
    const found = readDiscount(element, context);
    if (found.length > 0 && discounts.length > 0 && flagOf(element, "incr") === false) {
      warn(context, element, 'incr="0" has no effect: the discount is of what the ones before it leave');
    }
    discounts.push(...found);
  }
  return discounts;
}

/** A percentage as `relative`, or as a value of the currency "%"; an amount of money for one unit as value and currency. */
function readDiscount(element: XmlElement, context: Pick<ReadContext, "warnings">): PriceDiscount[] {
  const currency = attributeOf(element, "currency");
  const relative = amountIn(element, "relative");
  const value = amountIn(element, "value");
  const amounts: PriceDiscount["amount"][] = [];
  if (relative !== undefined) amounts.push({ kind: "percentage", value: relative });
  if (value !== undefined && currency === "%") amounts.push({ kind: "percentage", value });
  else if (value !== undefined && currency !== undefined && /^[A-Z]{3}$/.test(currency)) {
    amounts.push({ kind: "money", value, currency });
  } else if (value !== undefined) warn(context, element, "skipped: a discount without a currency");
  const label = attributeOf(element, "label");
  const named = label === undefined ? {} : { label: [{ lang: "und", value: label }] };
  return amounts.map((amount) => ({ ...named, amount }));
}

/** Nothing for a discount of zero. */
function amountIn(element: XmlElement, attribute: string): string | undefined {
  const value = decimalOf(element, attribute);
  return value === undefined || new Decimal(value).isZero() ? undefined : value;
}
