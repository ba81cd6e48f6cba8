/** Pricing lines as they are numbered and written (OEX reference, sections 6.9 and 15.1). */
import type { Exact } from "@slipway/sdk";
import type { PriceArea, PricingLine } from "../document/frames.js";
import { cents } from "./area-amounts.js";

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
