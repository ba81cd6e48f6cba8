import type { ProjectPrices } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";

/** What the prices of a document are made from. `locale` is that of the document: names of discounts are in it. */
export type PricingContext = Pick<
  ExportContext,
  "project" | "configuration" | "format" | "locale" | "repairs"
> & { prices: ProjectPrices };
