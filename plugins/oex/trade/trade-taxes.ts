/** The value added tax of an order, and its other taxes. */
import { Exact } from "@slipway/sdk";
import type { PriceArea, PricingLine } from "../document/frames.js";
import type { CodedTax } from "../pricing/document-pricing.js";
import type { TaxTotal, TradeTax } from "./trade-order.js";

/** By the codes of the document's lines. */
export class TradeTaxes {
  private readonly valueAdded = new Map<number, TradeTax>();

  /** `taxes` in the order of the project's scheme: without one of the type "VAT", the first type is the value added tax. */
  constructor(taxes: readonly CodedTax[]) {
    const type = (taxes.find((tax) => tax.type.toUpperCase() === "VAT") ?? taxes[0])?.type;
    for (const tax of taxes) if (tax.type === type) this.valueAdded.set(tax.code, tradeTax(tax));
  }

  /** The value added tax among the taxes of an item or a share; undefined if there is none. */
  of(codes: readonly (number | undefined)[]): TradeTax | undefined {
    for (const code of codes) {
      const found = code === undefined ? undefined : this.valueAdded.get(code);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Each tax of the header with its base. */
  totals(lines: readonly PricingLine[], area: PriceArea): TaxTotal[] {
    const own = lines.filter((line) => line.area === area);
    return own.flatMap((line) => {
      if (line.type !== "TTAX" || line.taxCode === undefined) return [];
      const basis = own.find(({ type, taxCode }) => type === "TTNE" && taxCode === line.taxCode);
      const known = this.valueAdded.get(line.taxCode);
      const tax = known ?? tradeTax({ rate: new Exact(line.rate ?? 0), category: undefined });
      return [{ ...tax, isOther: known === undefined, basis: basis?.value ?? "0.00", amount: line.value }];
    });
  }
}

function tradeTax({ rate, category }: Pick<CodedTax, "rate" | "category">): TradeTax {
  const isExempt = category === "exemption" || category === "exempt";
  return {
    category: rate.gt(0) ? "S" : isExempt ? "E" : "Z",
    rate: rate.toFixed(Math.max(2, rate.decimalPlaces())),
  };
}
