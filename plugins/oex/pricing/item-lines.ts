/** Lines of one item in one area (OEX reference, sections 15.1, 15.2 and 15.7). */
import { Exact, perUnit, type Rounding } from "@slipway/sdk";
import type { PricingLine } from "../document/oex-document.js";
import type { Repairs } from "../repair/repairs.js";
import { type AreaAmounts, cents, nothing, writable } from "./area-amounts.js";
import {
  amountText,
  baseOfStep,
  type DocumentRules,
  type PricingLines,
  type StepAttributes,
  type StepBase,
  stepLine,
} from "./pricing-lines.js";

interface PricedItem {
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

// Derives the prices of one price unit from the totals of an item (OEX reference, sections 15.1 and 15.4).

const halfCent = new Exact("0.005");

/** Rounded prices; those of steps are the deducted or added amounts, in order. */
interface UnitPrices {
  /** The price unit: the quantity that the prices refer to. */
  unit: Exact;
  gross: Exact;
  steps: { value: Exact; base: StepBase }[];
  net: Exact;
  /** After header discounts. */
  changed: Exact;
}

/**
 * The prices per unit, or per price unit of the session. Undefined for a quantity of zero.
 *
 * Totals come from the session. A unit price is the total divided by the quantity, and a discount is the difference of
 * the rounded prices before and after it, so the lines lead from the gross to the net price to the cent. For less than
 * one price unit, division would magnify the rounding error of the total. The session's stated unit prices are used
 * then, as long as they lead to its total.
 */
function unitPrices(
  amounts: AreaAmounts,
  quantity: Exact,
  { tolerance, unitRounding }: Pick<DocumentRules, "tolerance" | "unitRounding">,
): UnitPrices | undefined {
  if (!quantity.gt(0)) return undefined;
  const unit = priceUnit(amounts);
  const bases = stepBases(amounts, tolerance);
  const units = quantity.div(unit);
  const stated = units.lt(1) ? fromStatedPrices(amounts, unit, units, bases, unitRounding) : undefined;
  return (
    stated ?? fromTotals(amounts, unit, units, bases, { tolerance: tolerance.plus(halfCent), unitRounding })
  );
}

/** One if the stated unit cannot be written as a quantity. */
function priceUnit({ priceUnit: stated = "1" }: AreaAmounts): Exact {
  const unit = new Exact(stated);
  return unit.gt(0) && unit.decimalPlaces() <= 3 ? unit : new Exact(1);
}

function stepBases({ gross, steps }: AreaAmounts, tolerance: Exact): StepBase[] {
  const left = [gross];
  let rest = gross;
  return steps.map((step, index) => {
    const base = baseOfStep(step, steps.slice(0, index), left, tolerance);
    rest = rest.plus(step.value);
    left.push(rest);
    return base;
  });
}

/** A rate is kept if it leads from the rounded base price to the step's price. */
function fromTotals(
  { gross, steps, net, changed }: AreaAmounts,
  unit: Exact,
  units: Exact,
  bases: readonly StepBase[],
  { tolerance, unitRounding }: Pick<DocumentRules, "tolerance" | "unitRounding">,
): UnitPrices {
  const price = (total: Exact): Exact => perUnit(total, units, unitRounding) ?? nothing;
  const left = [price(gross)];
  let rest = gross;
  const prices = steps.map((step, index) => {
    rest = rest.plus(step.value);
    const before = left[index] ?? nothing;
    const after = price(rest);
    const value = after.minus(before).abs();
    const { index: place, rate } = bases[index] ?? { index, rate: undefined };
    const expected = (left[place] ?? nothing).times(rate ?? 0).div(100);
    left.push(after);
    const isRight = rate !== undefined && expected.minus(value).abs().lte(tolerance);
    return { value, base: isRight ? { index: place, rate } : { index, rate: undefined } };
  });
  return { unit, gross: price(gross), steps: prices, net: price(net), changed: price(changed) };
}

/** Undefined if the session does not state all prices, or they do not lead to its total. */
function fromStatedPrices(
  { unitGross, steps, net: total, changed }: AreaAmounts,
  unit: Exact,
  units: Exact,
  bases: readonly StepBase[],
  rounding: Rounding,
): UnitPrices | undefined {
  if (unitGross === undefined) return undefined;
  const gross = rounding.round(unitGross.times(unit));
  const left = [gross];
  const prices: UnitPrices["steps"] = [];
  let net = gross;
  for (const [index, step] of steps.entries()) {
    const base = bases[index] ?? { index, rate: undefined };
    const stated = step.unitValue?.times(unit) ?? step.value.div(units);
    const from = left[base.index] ?? nothing;
    const exact = base.rate === undefined ? stated : from.times(base.rate).div(100);
    const value = rounding.round(exact).abs();
    net = step.value.isNegative() ? net.minus(value) : net.plus(value);
    left.push(net);
    prices.push({ value, base });
  }
  if (net.lt(0) || net.times(units).minus(total).abs().gt("0.01")) return undefined;
  const ofHeader = total.isZero() ? changed.div(units) : net.times(changed).div(total);
  return { unit, gross, steps: prices, net, changed: rounding.round(ofHeader) };
}
