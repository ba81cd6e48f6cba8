import {
  Exact,
  isVisible,
  type PriceLine,
  purchaseValue,
  type ReportTotals,
  type Sheet,
  sheetsOf,
  tagged,
  taxTotals,
  type ViewNode,
} from "@slipway/sdk";
import { countedPositions } from "./counted-positions.js";
import { deliveryData } from "./packaging.js";
import { amountsOf, folderTotals, manufacturerTotals } from "./parts-of-totals.js";
import { decimalText, lineLabel, linePercentage } from "./price-lines.js";
import type { ReportContext } from "./report-context.js";

/**
 * Totals of a report from the lines of its header sheet. `counted`: ids of the counted items. The base of a tax is the
 * sum over the items that it applies to.
 */
export function reportTotals(
  header: readonly PriceLine[],
  report: { nodes: readonly ViewNode[]; counted: readonly string[] },
  context: ReportContext,
): ReportTotals {
  const { rounding } = context;
  const value = (tag: string): Exact => tagged(header, tag)?.value ?? new Exact(0);
  const net = value("NET_VALUE");
  const withEco = tagged(header, "NET_VALUE_ECO");
  const eco = withEco === undefined ? new Exact(0) : withEco.value.minus(net);
  const roundingOff = header
    .filter((line) => line.conditionType?.rule === "rounding" && isVisible(line))
    .reduce((sum, line) => sum.plus(line.value), new Exact(0));
  const purchase = purchaseValue(header);
  const itemNet = value("ITEM_NET_VALUE");
  const taxRows = taxes(header, sheetsOf(report.counted, context), context);
  const positions = countedPositions(report.counted, context);
  const whole = { ...amountsOf(positions), net: itemNet };
  return {
    itemNet: rounding.text(itemNet),
    headerDiscounts: headerDiscounts(header, context),
    net: rounding.text(net),
    eco: eco.isZero() ? null : rounding.text(eco),
    taxes: taxRows,
    tax: rounding.text(taxRows.reduce((sum, tax) => sum.plus(tax.value), new Exact(0))),
    rounding: roundingOff.isZero() ? null : rounding.text(roundingOff),
    total: rounding.text(value("FINAL_VALUE")),
    purchase: purchase === undefined ? null : rounding.text(purchase),
    positions: whole.positions,
    quantity: decimalText(whole.pieces),
    byManufacturer: manufacturerTotals(positions, whole, context),
    byFolder: folderTotals(report.nodes, whole, context),
    delivery: deliveryData(positions.map(({ position }) => position)),
  };
}

function headerDiscounts(
  header: readonly PriceLine[],
  { labels, rounding }: ReportContext,
): ReportTotals["headerDiscounts"] {
  return header
    .filter((line) => line.tags.some((tag) => tag.startsWith("HEADER_")) && isVisible(line))
    .filter((line) => !line.value.isZero())
    .map((line) => ({
      label: lineLabel(line, labels),
      percentage: linePercentage(line),
      value: rounding.text(line.value),
    }));
}

function taxes(
  header: readonly PriceLine[],
  itemSheets: readonly Sheet[],
  { labels, prices, rounding }: ReportContext,
): ReportTotals["taxes"] {
  return taxTotals(header, itemSheets, prices.sheets).map(({ line, base, value }) => ({
    label: lineLabel(line, labels),
    rate: linePercentage(line),
    base: base === undefined ? null : rounding.text(base),
    value: rounding.text(value),
  }));
}
