/** Discounts stated in an article: `predefVendorDiscount`, `predefItemDiscount`, and those in `artCalc`. */
import { Decimal } from "decimal.js";
import type { ProductPrice } from "../../project/document.js";
import { type ReadContext, warn } from "./read-context.js";
import { attributeOf, childOf, childrenOf, decimalOf, flagOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

type PriceDiscount = NonNullable<ProductPrice["discounts"]>[number];

/**
 * Vendor discounts apply to purchase prices, item discounts to sales prices; the `predefined` elements are
 * siblings of `artCalc`.
 */
export const discountElements = {
  purchase: { predefined: "predefVendorDiscount", own: "vendorDiscount" },
  sales: { predefined: "predefItemDiscount", own: "itemDiscount" },
} as const satisfies Record<ProductPrice["side"], { predefined: string; own: string }>;

/**
 * The discounts of one side, in order, each applied to the remainder after those before it. A discount in
 * `artCalc` that is marked as predefined and states no amount refers to the predefined ones; amounts stated
 * there replace them.
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

/**
 * A percentage as `relative`, or as a value with the currency "%"; an amount per unit as value and currency.
 */
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

/** Undefined for a discount of zero. */
function amountIn(element: XmlElement, attribute: string): string | undefined {
  const value = decimalOf(element, attribute);
  return value === undefined || new Decimal(value).isZero() ? undefined : value;
}
