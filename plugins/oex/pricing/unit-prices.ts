/** Derives the prices of one price unit from the totals of an item (OEX reference, sections 15.1 and 15.4). */
import { Exact, perUnit, type Rounding } from "@slipway/sdk";
import { type AreaAmounts, nothing } from "./area-amounts.js";
import type { DocumentRules } from "./document-rules.js";
import { baseOfStep, type StepBase } from "./pricing-lines.js";

const halfCent = new Exact("0.005");

/** Rounded prices; those of steps are the deducted or added amounts, in order. */
export interface UnitPrices {
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
export function unitPrices(
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
    const holds = rate !== undefined && expected.minus(value).abs().lte(tolerance);
    return { value, base: holds ? { index: place, rate } : { index, rate: undefined } };
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
