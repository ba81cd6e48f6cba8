/** What a discount or surcharge is a percentage of. */
import type { Exact } from "@slipway/sdk";
import type { Step } from "./area-amounts.js";

/** Place of the base among the amounts left, and the rate where it leads from that base to the value. */
export interface StepBase {
  index: number;
  rate: Exact | undefined;
}

/**
 * Finds the base of a step. `left` has the amount that all begins with and what was left after each of the steps
 * `before`. A reference to a line means what is left after it (OEX reference, section 15.1), so that a base in the middle
 * of a procedure needs no subtotal of its own. A rate that none of these bases explains, such as one of part of the
 * price, is left out, and the line before is the base: a value alone is always right. `tolerance` is what rounding may
 * have changed.
 */
export function baseOfStep(
  step: Step,
  before: readonly Step[],
  left: readonly Exact[],
  tolerance: Exact,
): StepBase {
  const previous = left.length - 1;
  if (step.rate === undefined || step.rate.decimalPlaces() > 2) return { index: previous, rate: undefined };
  const { from, rate } = step;
  const named = from === undefined ? [] : [before.filter(({ level }) => level < from).length];
  for (const index of [...named, previous]) {
    const expected = left[index]?.times(rate).div(100).abs();
    if (expected?.minus(step.value.abs()).abs().lte(tolerance)) return { index, rate };
  }
  return { index: previous, rate: undefined };
}
