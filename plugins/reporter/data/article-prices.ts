import {
  type Exact,
  groupSheet,
  isVisible,
  lineSheets,
  missingSheet,
  type PriceLine,
  perUnit,
  printedItemIds,
  purchaseValue,
  type ReportArticle,
  type ReportPriceDetail,
  salesValue,
  tagged,
  type ViewNode,
} from "@slipway/sdk";
import { calculationLines, lineLabel, linePercentage } from "./price-lines.js";
import type { ReportContext } from "./report-context.js";

type MakeDetail = (kind: ReportPriceDetail["kind"], line: PriceLine, value: Exact) => ReportPriceDetail;

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
 * Prices of one report line. Frames are unrequested ancestors and have none; an item without a sheet is reported as
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

/** A pseudo article has no purchase price; its parts are purchased. */
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

/** The price of a pseudo article is the sum of its parts. */
function pseudoLines(node: ViewNode, context: ReportContext): ArticlePrices["pseudoCalculationLines"] {
  if (node.item.type !== "article" || node.item.pseudoArticle !== true) return [];
  const parts = printedItemIds(node.children, context);
  if (parts.length === 0) return [];
  const { calculation, procedure } = context.prices;
  const sheet = groupSheet(calculation, procedure, parts);
  return calculationLines(context.prices.sheets.lines(sheet), context.labels);
}

/**
 * The price lines from the list price of an article to its net price, as the customer may see them: base price and
 * variant prices (or the one price that replaced them), then discounts and surcharges, then the net price. Discounts
 * above the gross value are hidden: they only change the base price. Empty if there would be only one line.
 */
function priceDetails(
  lines: readonly PriceLine[],
  quantity: string,
  context: ReportContext,
): ReportPriceDetail[] {
  const net = tagged(lines, "ITEM_NET_VALUE");
  const gross = tagged(lines, "GROSS_SALES_PRICE");
  if (net === undefined || gross === undefined) return [];
  const conditions = salesConditions(lines);
  const detail = detailOf(quantity, context);
  const changes = conditions
    .filter((line) => line.line.level > gross.line.level && line.line.level < net.line.level)
    .filter((line) => !line.value.isZero() && !line.tags.some(isHiddenTag))
    .map((line) => detail(line.value.isNegative() ? "discount" : "surcharge", line, line.value));
  const steps = [...listPrices(conditions, lines, gross, detail), ...changes];
  return steps.length < 2 ? [] : [...steps, detail("net", net, net.value)];
}

/** The base price is the gross price less the variant prices. */
function listPrices(
  conditions: readonly PriceLine[],
  lines: readonly PriceLine[],
  gross: PriceLine,
  detail: MakeDetail,
): ReportPriceDetail[] {
  const listLevel = tagged(lines, "PD_SALES_PRICE")?.line.level ?? gross.line.level;
  const listed = conditions.filter((line) => line.line.level < listLevel);
  const adjusted = conditions.findLast(
    ({ line, conditionType }) =>
      line.level > listLevel && line.level < gross.line.level && conditionType?.conditionClass === "price",
  );
  if (adjusted !== undefined) return [detail("adjusted", adjusted, gross.value)];
  const [base, ...variants] = listed;
  if (base === undefined) return [];
  const shown = variants.filter((variant) => !variant.value.isZero());
  const rest = shown.reduce((value, variant) => value.minus(variant.value), gross.value);
  return [detail("base", base, rest), ...shown.map((variant) => detail("variant", variant, variant.value))];
}

/** Conditions that a customer may see, without purchase prices. */
function salesConditions(lines: readonly PriceLine[]): PriceLine[] {
  return lines.filter((line) => line.procedureLine?.kind === "condition" && line.sales && isVisible(line));
}

function isHiddenTag(tag: string): boolean {
  return tag.startsWith("HIDDEN_") || tag.startsWith("HEADER_");
}

function detailOf(quantity: string, context: ReportContext): MakeDetail {
  return (kind, line, value) => ({
    kind,
    label: lineLabel(line, context.labels),
    percentage: kind === "discount" || kind === "surcharge" ? linePercentage(line) : null,
    unitPrice: unitPrice(value, quantity, context),
    totalPrice: context.rounding.text(value),
  });
}

/** The unit price, rounded to the smallest currency unit; null for a quantity of zero. */
function unitPrice(total: Exact, quantity: string, { rounding }: ReportContext): string | null {
  const price = perUnit(total, quantity, rounding);
  return price === undefined ? null : rounding.text(price);
}
