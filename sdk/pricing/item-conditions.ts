/** Conditions of single items. */

import { type Exact, one, percentOf } from "../locale/exact.js";
import type { CompiledLine } from "./compiled-procedure.js";
import type { ItemState } from "./item-state.js";
import { conditionByFormula } from "./line-formulas.js";
import { defaultUnit, type Measure, measureOf } from "./measures.js";
import { type AmountSources, amountsOf, type StatedAmount } from "./stated-amount.js";

/** Evaluates one condition line of one item. */
export function itemCondition(line: CompiledLine, state: ItemState, sources: AmountSources): void {
  const amounts = amountsOf(line, state.position, sources);
  if (amounts.length === 0) state.absent(line);
  for (const [index, stated] of amounts.entries()) {
    applyAmount(line, line.counterOf(index), stated, state, sources);
  }
}

/** Applies one amount to one item, rounded for this item alone. */
export function applyAmount(
  line: CompiledLine,
  counter: number,
  stated: StatedAmount,
  state: ItemState,
  sources: AmountSources,
): void {
  const exact = isUsable(line, stated) ? partOf(line, stated, state, sources) : undefined;
  if (exact === undefined) state.excluded(line, counter);
  else state.apply(line, counter, stated, sources.rounding.by(line.roundingRule).round(exact));
}

/** Whether the condition can be computed; otherwise the reason has been reported as an error. */
export function isUsable(line: CompiledLine, { amount }: StatedAmount): boolean {
  return amount !== undefined || line.computesAlone;
}

/** The unrounded value of an amount for an item; undefined if it does not apply to the item. */
export function partOf(
  line: CompiledLine,
  stated: StatedAmount,
  state: ItemState,
  sources: AmountSources,
): Exact | undefined {
  if (isForbiddenDiscount(line, stated.number, state)) return undefined;
  const value = exactValue(line, stated, state, sources);
  return value !== undefined && isForbiddenDiscount(line, value, state) ? undefined : value;
}

/**
 * A discount is a negative price modifier of the item or of the whole project. Variant prices (even negative
 * ones), rounding and surcharges are not discounts.
 */
export function isForbiddenDiscount(line: CompiledLine, number: Exact, state: ItemState): boolean {
  if (state.position.discountable || !number.isNegative() || number.isZero()) return false;
  return (
    line.type?.conditionClass === "priceModifier" &&
    line.type.rule !== "rounding" &&
    line.source === undefined
  );
}

/** The unrounded value of an amount for an item; undefined if the item lacks the required data. */
function exactValue(
  line: CompiledLine,
  stated: StatedAmount,
  state: ItemState,
  sources: AmountSources,
): Exact | undefined {
  const formula = line.formulas.item;
  if (formula !== undefined) return conditionByFormula(line, formula, stated, state, sources);
  if (stated.amount?.kind === "percentage") {
    return percentOf(percentageBase(line, state), stated.number);
  }
  switch (line.type?.rule) {
    case "fixedAmount":
      return stated.number;
    case "rounding":
      return roundingDifference(line, state.baseOf(line), stated.number, sources);
    case "netWeight":
    case "grossWeight":
    case "volume":
      return measured(line.type.rule, stated, state, sources);
    default:
      return perQuantity(stated, state, sources);
  }
}

/** The difference between `base` and its value rounded to a multiple of `step`. */
export function roundingDifference(
  line: CompiledLine,
  base: Exact,
  step: Exact,
  { rounding }: AmountSources,
): Exact {
  return step.isZero() ? step : rounding.by(line.roundingRule).toMultiple(base, step.abs()).minus(base);
}

/**
 * Percentage variant prices refer to the base price; other percentages to the running sum or a line's value.
 */
function percentageBase(line: CompiledLine, state: ItemState): Exact {
  if (line.source?.kind === "variant" && line.base === undefined) return state.valueOf(line.basePrices);
  return state.baseOf(line);
}

function perQuantity(stated: StatedAmount, state: ItemState, { errors }: AmountSources): Exact {
  const { quantity, item } = state.position;
  const value = quantity.eq(one) ? stated.number : stated.number.times(quantity);
  if (stated.per === undefined) return value;
  if (stated.per.unit !== item.quantity.unit) {
    const units = `${stated.per.unit}, the quantity in ${item.quantity.unit}`;
    errors.add(item.id, `The price is per ${units}; both are taken as the same unit`, { scope: "WARN" });
  }
  return stated.per.value === "1" ? value : value.div(stated.per.value);
}

function measured(
  measure: Measure,
  stated: StatedAmount,
  { position }: ItemState,
  { errors }: AmountSources,
): Exact | undefined {
  const unit = stated.per?.unit ?? defaultUnit(measure);
  const ofOne = measureOf(position.item.packaging, measure, unit);
  if (ofOne === "none") return undefined;
  if (ofOne === "unit")
    return errors.add(position.item.id, `The article states no ${measure} in a unit like ${unit}`);
  return stated.number
    .times(ofOne)
    .times(position.quantity)
    .div(stated.per?.value ?? 1);
}
