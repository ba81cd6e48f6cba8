/** Numbers and formats pricing lines (OEX reference, sections 6.9 and 15.1). */
import { Exact, type ProjectPrices, type Rounding } from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { PriceArea, PricingLine } from "../document/oex-document.js";
import type { Step } from "./area-amounts.js";
import type { ConditionKinds, ConditionPlace, LineTexts, TaxCodes } from "./codes.js";

type Attributes = Omit<PricingLine, "type" | "area" | "value" | "currency">;

/** The lines of one item or of the header, one area after the other. */
export class PricingLines {
  readonly lines: PricingLine[] = [];

  constructor(private readonly currency: string) {}

  /** Adds a line and returns its number. The sign of the value is dropped; callers make sure that it can be. */
  add(area: PriceArea, type: PricingLine["type"], value: Exact, attributes: Attributes = {}): number {
    const text = amountText(value);
    const unsigned = text.startsWith("-") ? text.slice(1) : text;
    return this.lines.push({ type, area, value: unsigned, ...attributes, currency: this.currency });
  }
}

/** An amount or a rate with two decimals, rounded half away from zero. */
export function amountText(value: Exact): string {
  const text = value.toFixed(2, Exact.ROUND_HALF_UP);
  return text === "-0.00" ? "0.00" : text;
}

/** Inputs of a document's prices. `locale` is the document's: discount names use it. */
export type PricingContext = Pick<
  ExportContext,
  "project" | "configuration" | "format" | "locale" | "repairs"
> & { prices: ProjectPrices };

// Lines that the configuration hides (OEX reference, section 15.5).

type HideFlags = Pick<
  ExportConfiguration,
  "hideDiscounts" | "hideHeaderDiscounts" | "hidePurchaseDiscounts" | "hideSalesDiscounts"
>;

/**
 * Lines that would reveal a hidden discount are hidden too. These are all lines that refer to it, so no visible line
 * loses its base.
 */
interface HiddenLines {
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

// Bases of discounts and surcharges.

/** Index of the base among the remaining amounts, and the rate if it leads from that base to the value. */
export interface StepBase {
  index: number;
  rate: Exact | undefined;
}

/**
 * Finds the base of a step. `left` has the initial amount and the remaining amount after each of the steps `before`. A
 * reference to a line means the remaining amount after it (OEX reference, section 15.1), so a base in the middle of a
 * procedure needs no subtotal. A rate that matches none of these bases, such as one on part of the price, is left out
 * and the previous line is the base: the value alone is always correct. `tolerance` is the possible rounding error.
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

// Rules shared by the lines of all items and of the header.

export interface DocumentRules {
  kinds: ConditionKinds;
  texts: LineTexts;
  taxCodes: TaxCodes;
  hidden: Readonly<Record<PriceArea, HiddenLines>>;
  /** Possible rounding error of one amount. */
  tolerance: Exact;
  /** To two decimals, with the procedure's rounding of halves, so that unit prices equal those of reports. */
  unitRounding: Rounding;
  /** Lines of quotations have either a text or a price unit (OEX reference, section 6.9). */
  eitherTextOrUnit: boolean;
}

export type StepAttributes = Pick<PricingLine, "sign" | "kind" | "rate" | "text" | "priceUnit">;

/** Type and attributes of a discount or surcharge line; the caller that numbers the lines adds the base. */
export function stepLine(
  step: Step,
  rate: Exact | undefined,
  area: PriceArea,
  place: ConditionPlace,
  { kinds, texts }: DocumentRules,
): { type: PricingLine["type"]; attributes: StepAttributes } {
  const isDiscount = step.value.isNegative();
  const text = texts.of(step.label);
  const types = { item: ["DISI", "SURI"], header: ["DISH", "SURH"] } as const;
  return {
    type: types[place][isDiscount ? 0 : 1],
    attributes: {
      sign: isDiscount ? "-" : "+",
      kind: kinds.kindOf(area, place, step.conditionType, isDiscount),
      ...(rate !== undefined && { rate: amountText(rate) }),
      ...(text !== "" && { text }),
    },
  };
}
