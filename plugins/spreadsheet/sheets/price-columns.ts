/** Price columns of the article list and their values. */
import { Exact, perUnit } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { HiddenLines } from "../request/export-request.js";
import type { LineAmounts } from "./line-amounts.js";

/** In display order. */
const priceColumns = [
  "purchaseListPrice",
  "purchaseDiscount",
  "purchasePrice",
  "purchaseValue",
  "listPrice",
  "listValue",
  "discount",
  "discountRate",
  "netPrice",
  "netValue",
  "headerDiscount",
  "finalNetValue",
  "tax",
  "totalWithTax",
  "margin",
  "marginRate",
] as const;
export type PriceColumn = (typeof priceColumns)[number];

/** Columns whose values add up to the document's. */
export const sumColumns: ReadonlySet<PriceColumn> = new Set<PriceColumn>([
  "purchaseDiscount",
  "purchaseValue",
  "listValue",
  "netValue",
  "headerDiscount",
  "finalNetValue",
  "tax",
  "totalWithTax",
]);

/** Columns that hold percentages. */
export const rateColumns: ReadonlySet<PriceColumn> = new Set<PriceColumn>(["discountRate", "marginRate"]);

/**
 * The columns not hidden by a request; the project's content has no influence. A column that would reveal a hidden line
 * is hidden too.
 */
export function shownPriceColumns(hidden: HiddenLines): PriceColumn[] {
  const withoutHeader = hidesHeaderDiscounts(hidden);
  const isHidden: Record<PriceColumn, boolean> = {
    purchaseListPrice: hidesWay(hidden, "GROSS_PURCHASE_PRICE", "PURCHASE_VALUE"),
    purchaseDiscount: hidesWay(hidden, "GROSS_PURCHASE_PRICE", "PURCHASE_VALUE"),
    purchasePrice: hidden.hidesTag("PURCHASE_VALUE"),
    purchaseValue: hidden.hidesTag("PURCHASE_VALUE"),
    listPrice: hidesList(hidden),
    listValue: hidesList(hidden),
    discount: hidesList(hidden),
    discountRate: hidesList(hidden),
    netPrice: hidesNet(hidden),
    netValue: hidesNet(hidden),
    headerDiscount: withoutHeader,
    finalNetValue: withoutHeader,
    tax: hidesTaxes(hidden),
    totalWithTax:
      hidesTaxes(hidden) || hidden.hidesTag("FINAL_VALUE") || hidden.hidesBetween("NET_VALUE", "FINAL_VALUE"),
    margin: hidesMargin(hidden),
    marginRate: hidesMargin(hidden),
  };
  return priceColumns.filter((column) => !isHidden[column]);
}

/** Decimal texts of a line by column; unknown values are absent. */
export function priceValues(
  amounts: LineAmounts,
  quantity: string | undefined,
  { hidden, rounding }: ExportContext,
): ReadonlyMap<PriceColumn, string> {
  const unit = (value: Exact | undefined): Exact | undefined =>
    value && perUnit(value, quantity ?? "0", rounding);
  const net = hidesHeaderDiscounts(hidden) ? amounts.finalNetValue : amounts.netValue;
  const discount = difference(net, amounts.listValue);
  const margin = difference(amounts.finalNetValue, amounts.purchaseValue);
  const values: Record<PriceColumn, Exact | undefined> = {
    purchaseListPrice: unit(amounts.purchaseListValue),
    purchaseDiscount: difference(amounts.purchaseValue, amounts.purchaseListValue),
    purchasePrice: unit(amounts.purchaseValue),
    purchaseValue: amounts.purchaseValue,
    listPrice: unit(amounts.listValue),
    listValue: amounts.listValue,
    discount,
    discountRate: percentage(discount, amounts.listValue),
    netPrice: unit(net),
    netValue: net,
    headerDiscount: difference(amounts.finalNetValue, amounts.netValue),
    finalNetValue: amounts.finalNetValue,
    tax: amounts.tax,
    totalWithTax: amounts.totalWithTax,
    margin,
    marginRate: percentage(margin, amounts.finalNetValue),
  };
  return new Map(
    priceColumns.flatMap((column): [PriceColumn, string][] => {
      const value = values[column];
      if (value === undefined) return [];
      return [[column, rateColumns.has(column) ? rateText(value) : rounding.text(value)]];
    }),
  );
}

/** If true, prices and values are those after project discounts. */
function hidesHeaderDiscounts(hidden: HiddenLines): boolean {
  return hidden.hidesTag("ITEM_NET_VALUE") || hidesWay(hidden, "ITEM_NET_VALUE", "NET_VALUE");
}

function hidesList(hidden: HiddenLines): boolean {
  return hidesWay(hidden, "GROSS_SALES_PRICE", "ITEM_NET_VALUE") || hidesNet(hidden);
}

function hidesNet(hidden: HiddenLines): boolean {
  return hidden.hidesTag("NET_VALUE");
}

function hidesTaxes(hidden: HiddenLines): boolean {
  return hidden.hidesTag("TAX") || hidesNet(hidden);
}

/** A margin and the net value reveal the purchase value. */
function hidesMargin(hidden: HiddenLines): boolean {
  return (
    hidden.hidesTag("MARGIN_QTY") ||
    hidden.hidesTag("MARGIN_REL") ||
    hidden.hidesTag("PURCHASE_VALUE") ||
    hidesNet(hidden)
  );
}

/** Whether the first line, or any condition between both, is hidden. */
function hidesWay(hidden: HiddenLines, from: string, to: string): boolean {
  return hidden.hidesTag(from) || hidden.hidesBetween(from, to);
}

function difference(one: Exact | undefined, other: Exact | undefined): Exact | undefined {
  return other && one?.minus(other);
}

/** A percentage with two decimals, rounded half away from zero like spreadsheets do. */
function percentage(part: Exact | undefined, whole: Exact | undefined): Exact | undefined {
  if (part === undefined || whole === undefined || whole.isZero()) return undefined;
  return part.times(100).div(whole).toDecimalPlaces(2, Exact.ROUND_HALF_UP);
}

function rateText(value: Exact): string {
  return value.isZero() ? "0" : value.toFixed();
}
