/** The lines of one item in one area (OEX reference, sections 15.1, 15.2 and 15.7). */
import { Exact } from "@slipway/sdk";
import type { PricingLine } from "../document/frames.js";
import type { Repairs } from "../repair/repairs.js";
import { type AreaAmounts, cents, nothing, writable } from "./area-amounts.js";
import { baseOfStep } from "./base-of-step.js";
import { type DocumentRules, type StepAttributes, stepLine } from "./document-rules.js";
import { amountText, type PricingLines } from "./pricing-lines.js";

export interface PricedItem {
  amounts: AreaAmounts;
  /** Of the document, as it is written. */
  quantity: Exact;
  /** Sets state prices for information only, without taxes. */
  isSet: boolean;
  /** The header has discounts or surcharges in this area. */
  changedByHeader: boolean;
  repairs: Repairs;
}

/**
 * Adds the lines of an item: unit prices first, then totals, which are those of the session. A free article has a net
 * total of 0.00 and nothing else. `SNET` is the session's total by quantity, rounded; each discount is the difference
 * of the rounded unit prices before and after it, so that the lines lead from `SGRO` to `SNET` to the cent.
 */
export function addItemLines(lines: PricingLines, item: PricedItem, rules: DocumentRules): void {
  const { amounts, unwritable } = writable(item.amounts);
  const { area } = amounts;
  reportUnwritable(item, unwritable);
  if (isFree(amounts)) {
    lines.add(area, "TNET", nothing);
    return;
  }
  const price = unitPrice(amounts, item.quantity);
  if (price !== undefined) addUnitLines(lines, amounts, price, rules);
  lines.add(area, "TNET", amounts.net);
  if (!item.isSet) addTaxLines(lines, amounts, rules);
  if (!amounts.charge.isZero()) lines.add(area, "ECFR", amounts.charge);
  if (item.changedByHeader) addChangedLines(lines, item, amounts, price);
}

function isFree({ priced, gross, net, changed }: AreaAmounts): boolean {
  return !priced && gross.isZero() && net.isZero() && changed.isZero();
}

/** From a total of the item to the price of the price unit. */
interface UnitPrice {
  of(total: Exact): Exact;
  attributes: Pick<PricingLine, "priceUnit">;
}

/** A quantity of zero has no unit price. The unit of a price is always that of the item, and is therefore left out. */
function unitPrice({ priceUnit }: AreaAmounts, quantity: Exact): UnitPrice | undefined {
  if (!quantity.gt(0)) return undefined;
  const stated = new Exact(priceUnit ?? 1);
  const unit = stated.gt(0) && stated.decimalPlaces() <= 3 ? stated : new Exact(1);
  return {
    of: (total) => cents(total.times(unit).div(quantity)),
    attributes: unit.eq(1) ? {} : { priceUnit: unit.toFixed() },
  };
}

function addUnitLines(
  lines: PricingLines,
  { area, gross, steps, net }: AreaAmounts,
  price: UnitPrice,
  rules: DocumentRules,
): void {
  if (!rules.hidden[area].discounts) {
    const first = lines.add(area, "SGRO", price.of(gross), price.attributes);
    const numbers = [first];
    const left = [gross];
    let before = gross;
    for (const [index, step] of steps.entries()) {
      const { index: place, rate } = baseOfStep(step, steps.slice(0, index), left, rules.tolerance);
      const { type, attributes } = stepLine(step, rate, area, "item", rules);
      const after = before.plus(step.value);
      const value = price.of(after).minus(price.of(before));
      const base = numbers[place] ?? first;
      numbers.push(lines.add(area, type, value, { ...unitOrText(attributes, price, rules), base }));
      left.push(after);
      before = after;
    }
  }
  lines.add(area, "SNET", price.of(net), price.attributes);
}

/** The price unit of a discount is said where it is not one; it leaves no room for the name in quotations. */
function unitOrText(attributes: StepAttributes, price: UnitPrice, rules: DocumentRules): StepAttributes {
  if (price.attributes.priceUnit === undefined) return attributes;
  const { text: _, ...unnamed } = attributes;
  return { ...(rules.eitherTextOrUnit ? unnamed : attributes), ...price.attributes };
}

/** Before discounts of the header, as the net total is. */
function addTaxLines(lines: PricingLines, { area, net, taxes }: AreaAmounts, rules: DocumentRules): void {
  let total = net;
  const own = new Set(taxes.map(({ key }) => key));
  for (const tax of rules.taxCodes.taxes) {
    const taxCode = own.has(tax.key) ? rules.taxCodes.codeOf(tax) : undefined;
    if (taxCode === undefined) continue;
    const value = cents(net.times(tax.rate).div(100));
    const base = lines.add(area, "TTNE", net, { taxCode });
    lines.add(area, "TTAX", value, { taxCode, base, rate: amountText(tax.rate) });
    total = total.plus(value);
  }
  lines.add(area, "TOTL", total);
}

/**
 * The item after discounts and surcharges of the header: lines that the printed code list of items does not have. They
 * are written here and nowhere else.
 */
function addChangedLines(
  lines: PricingLines,
  { repairs, isSet }: PricedItem,
  { area, changed }: AreaAmounts,
  price: UnitPrice | undefined,
): void {
  const isNegative = changed.lt(0);
  if (isNegative && !isSet) report(repairs, "net value after header discounts", changed);
  const value = isNegative ? nothing : changed;
  if (price !== undefined) lines.add(area, "SNEH", price.of(value), price.attributes);
  lines.add(area, "TNEH", value);
}

function reportUnwritable(
  { amounts, repairs, isSet }: PricedItem,
  unwritable: "net" | "gross" | undefined,
): void {
  if (isSet || unwritable === undefined) return;
  if (unwritable === "net") report(repairs, `net value, area ${amounts.area}`, amounts.net);
  else {
    const change = "the net price is written instead, without discounts: the format has no signs";
    repairs.report({ field: `gross value, area ${amounts.area}`, value: amountText(amounts.gross), change });
  }
}

function report(repairs: Repairs, field: string, value: Exact): void {
  const change = "written as 0.00: the format has no signs";
  repairs.report({ field, value: amountText(value), change, scope: "ERROR" });
}
