import {
  groupSheet,
  lineSheets,
  missingSheet,
  type PriceLine,
  printedItemIds,
  purchaseValue,
  type ReportArticle,
  salesValue,
  type ViewNode,
} from "@slipway/sdk";
import { priceDetails, unitPrice } from "./price-details.js";
import { calculationLines } from "./price-lines.js";
import type { ReportContext } from "./report-context.js";

type ArticlePrices = Pick<
  ReportArticle,
  | "unitPrice"
  | "totalPrice"
  | "purchaseUnitPrice"
  | "purchaseTotalPrice"
  | "priceDetails"
  | "pseudoCalculationLines"
  | "calculationLines"
>;

const noPrices: ArticlePrices = {
  unitPrice: null,
  totalPrice: null,
  purchaseUnitPrice: null,
  purchaseTotalPrice: null,
  priceDetails: [],
  pseudoCalculationLines: [],
  calculationLines: [],
};

/**
 * Prices of one line of a report. A frame was not asked for and has none; an item without a sheet is reported as
 * `item-price-error`.
 */
export function articlePrices(node: ViewNode, quantity: string, context: ReportContext): ArticlePrices {
  if (node.frame) return noPrices;
  const sheets = lineSheets(node, context);
  const pseudoCalculationLines = pseudoLines(node, context);
  if (sheets.length === 0) {
    context.suppress(missingSheet(node.item, context));
    return { ...noPrices, pseudoCalculationLines };
  }
  const lines = context.prices.sheets.sum(sheets);
  const net = salesValue(node.item, lines);
  const all = context.withCalculationLines ? calculationLines(lines, context.labels) : [];
  const purchase = purchasePrices(node, lines, quantity, context);
  if (net === undefined) {
    return { ...noPrices, ...purchase, pseudoCalculationLines, calculationLines: all };
  }
  return {
    ...purchase,
    unitPrice: unitPrice(net, quantity, context),
    totalPrice: context.rounding.text(net),
    priceDetails: priceDetails(lines, quantity, context),
    pseudoCalculationLines,
    calculationLines: all,
  };
}

/** A pseudo article is bought as its parts. */
function purchasePrices(
  { item }: ViewNode,
  lines: readonly PriceLine[],
  quantity: string,
  context: ReportContext,
): Pick<ArticlePrices, "purchaseUnitPrice" | "purchaseTotalPrice"> {
  const isPseudo = item.type === "article" && item.pseudoArticle === true;
  const value = isPseudo ? undefined : purchaseValue(lines);
  if (value === undefined) return { purchaseUnitPrice: null, purchaseTotalPrice: null };
  return {
    purchaseUnitPrice: unitPrice(value, quantity, context),
    purchaseTotalPrice: context.rounding.text(value),
  };
}

/** A pseudo article has no price of its own: what its parts add up to. */
function pseudoLines(node: ViewNode, context: ReportContext): ArticlePrices["pseudoCalculationLines"] {
  if (node.item.type !== "article" || node.item.pseudoArticle !== true) return [];
  const parts = printedItemIds(node.children, context);
  if (parts.length === 0) return [];
  const { calculation, procedure } = context.prices;
  const sheet = groupSheet(calculation, procedure, parts);
  return calculationLines(context.prices.sheets.lines(sheet), context.labels);
}
