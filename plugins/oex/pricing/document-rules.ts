/** Rules shared by the lines of all items and of the header. */
import type { Exact, Rounding } from "@slipway/sdk";
import type { PriceArea, PricingLine } from "../document/frames.js";
import type { Step } from "./area-amounts.js";
import type { ConditionKinds, ConditionPlace } from "./condition-kinds.js";
import type { LineTexts } from "./line-texts.js";
import { amountText, type HiddenLines } from "./pricing-lines.js";
import type { TaxCodes } from "./tax-codes.js";

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
