/** Pricing lines as they are numbered and written (OEX reference, sections 6.9 and 15.1). */
import type { Exact, ProjectPrices } from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { PriceArea, PricingLine } from "../document/frames.js";
import { cents, type Step } from "./area-amounts.js";

type Attributes = Omit<PricingLine, "type" | "area" | "value" | "currency">;

/** The lines of one item or of the header, of one area after the other. */
export class PricingLines {
  readonly lines: PricingLine[] = [];

  constructor(private readonly currency: string) {}

  /** Adds a line and tells its number. Values have no sign: whoever adds a line has seen to it. */
  add(area: PriceArea, type: PricingLine["type"], value: Exact, attributes: Attributes = {}): number {
    const text = amountText(value.abs());
    return this.lines.push({ type, area, value: text, ...attributes, currency: this.currency });
  }
}

/** An amount or a rate with two decimals. */
export function amountText(value: Exact): string {
  return cents(value).toFixed(2);
}

/** What the prices of a document are made from. `locale` is that of the document: names of discounts are in it. */
export type PricingContext = Pick<
  ExportContext,
  "project" | "configuration" | "format" | "locale" | "repairs"
> & { prices: ProjectPrices };

// Which lines the configuration hides (OEX reference, section 15.5).

type HideFlags = Pick<
  ExportConfiguration,
  "hideDiscounts" | "hideHeaderDiscounts" | "hidePurchaseDiscounts" | "hideSalesDiscounts"
>;

/**
 * Hidden discounts take the lines with them that would reveal them, and these are all that refer to them: no line that
 * stays loses its base.
 */
export interface HiddenLines {
  /** `SGRO`, `TGRO`, `DISI`, `SURI`. */
  discounts: boolean;
  /** `DISH`, `SURH`. */
  headerDiscounts: boolean;
}

export function hiddenLines(area: PriceArea, flags: HideFlags): HiddenLines {
  const ofArea = area === "P" ? flags.hidePurchaseDiscounts : flags.hideSalesDiscounts;
  const discounts = flags.hideDiscounts || ofArea;
  return { discounts, headerDiscounts: discounts || flags.hideHeaderDiscounts };
}

// What a discount or surcharge is a percentage of.

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
