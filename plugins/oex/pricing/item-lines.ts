/** Lines of one item in one area (OEX reference, sections 15.1, 15.2 and 15.7). */
import type { Exact } from "@slipway/sdk";
import type { PricingLine } from "../document/frames.js";
import type { Repairs } from "../repair/repairs.js";
import { type AreaAmounts, cents, nothing, writable } from "./area-amounts.js";
import { type DocumentRules, type StepAttributes, stepLine } from "./document-rules.js";
import { amountText, type PricingLines } from "./pricing-lines.js";
import { type UnitPrices, unitPrices } from "./unit-prices.js";

export interface PricedItem {
  amounts: AreaAmounts;
  /** Quantity as written in the document. */
  quantity: Exact;
  /** Sets state prices for information only, without taxes. */
  isSet: boolean;
  /** The header has discounts or surcharges in this area. */
  changedByHeader: boolean;
  repairs: Repairs;
}

/**
 * Adds the lines of an item: unit prices first, then the session's totals. A free article has only a net total of 0.00.
 */
export function addItemLines(lines: PricingLines, item: PricedItem, rules: DocumentRules): void {
  const { amounts, unwritable } = writable(item.amounts);
  const { area } = amounts;
  reportUnwritable(item, unwritable);
  if (isFree(amounts)) {
    lines.add(area, "TNET", nothing);
    return;
  }
  const prices = unitPrices(amounts, item.quantity, rules);
  if (prices !== undefined) addUnitLines(lines, amounts, prices, rules);
  lines.add(area, "TNET", amounts.net);
  if (!item.isSet) addTaxLines(lines, amounts, rules);
  if (!amounts.charge.isZero()) lines.add(area, "ECFR", amounts.charge);
  if (item.changedByHeader) addChangedLines(lines, item, amounts, prices);
}

function isFree({ priced, gross, net, changed }: AreaAmounts): boolean {
  return !priced && gross.isZero() && net.isZero() && changed.isZero();
}

function addUnitLines(
  lines: PricingLines,
  amounts: AreaAmounts,
  prices: UnitPrices,
  rules: DocumentRules,
): void {
  const { area, steps } = amounts;
  const unit = unitAttributes(prices);
  if (!rules.hidden[area].discounts) {
    const first = lines.add(area, "SGRO", prices.gross, unit);
    const numbers = [first];
    for (const [index, step] of steps.entries()) {
      const price = prices.steps[index];
      if (price === undefined) continue;
      const { type, attributes } = stepLine(step, price.base.rate, area, "item", rules);
      const base = numbers[price.base.index] ?? first;
      numbers.push(lines.add(area, type, price.value, { ...unitOrText(attributes, unit, rules), base }));
    }
  }
  lines.add(area, "SNET", prices.net, unit);
}

/** A price unit of one is omitted; prices always refer to the item's own unit. */
function unitAttributes({ unit }: UnitPrices): Pick<PricingLine, "priceUnit"> {
  return unit.eq(1) ? {} : { priceUnit: unit.toFixed() };
}

/** The price unit of a discount is written if it is not one; in quotations it replaces the name. */
function unitOrText(
  attributes: StepAttributes,
  unit: Pick<PricingLine, "priceUnit">,
  { eitherTextOrUnit }: DocumentRules,
): StepAttributes {
  const { text: _, ...unnamed } = attributes;
  return unit.priceUnit !== undefined && eitherTextOrUnit
    ? { ...unnamed, ...unit }
    : { ...attributes, ...unit };
}

/** Before header discounts, like the net total. */
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

/** Adds the item's amounts after header discounts and surcharges. The printed code list of items lacks these lines. */
function addChangedLines(
  lines: PricingLines,
  { repairs, isSet }: PricedItem,
  { area, changed }: AreaAmounts,
  prices: UnitPrices | undefined,
): void {
  const isNegative = changed.lt(0);
  if (isNegative && !isSet) report(repairs, "net value after header discounts", changed);
  const value = isNegative ? nothing : changed;
  if (prices !== undefined) {
    lines.add(area, "SNEH", isNegative ? nothing : prices.changed, unitAttributes(prices));
  }
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
