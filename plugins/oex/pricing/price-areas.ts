/** Areas of prices that a document has (OEX reference, sections 15.2 and 17.1). */
import type { PriceArea } from "../document/frames.js";
import type { PricingContext } from "./pricing-context.js";
import type { ProcedureParts } from "./procedure-parts.js";

/**
 * Purchase prices must not reach a customer: quotations have none, whatever the configuration says. A procedure that
 * knows no purchase prices has none either, which is something else than articles that are free: the area is left out
 * and that is reported.
 */
export function documentAreas(
  {
    format,
    configuration,
    prices,
    repairs,
  }: Pick<PricingContext, "format" | "configuration" | "prices" | "repairs">,
  parts: ProcedureParts,
): PriceArea[] {
  const areas: PriceArea[] = [];
  if (format.type === "ORDERS" && configuration.calculationPurchase) {
    if (parts.areas.has("P")) areas.push("P");
    else {
      const change = "purchase prices left out: the price calculation scheme has none";
      repairs.report({ field: "calculationScheme", value: prices.procedure.name, change });
    }
  }
  if (configuration.calculationSales) areas.push("S");
  return areas;
}
