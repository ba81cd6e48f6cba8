import {
  Exact,
  isVisible,
  type PriceLine,
  type ReportTotals,
  type Sheet,
  tagged,
  type ViewNode,
} from "@slipway/sdk";
import { sheetsOf } from "../prices/counted-items.js";
import { countedPositions } from "./counted-positions.js";
import { decimalText } from "./decimal-text.js";
import { deliveryData } from "./packaging.js";
import { amountsOf, folderTotals, manufacturerTotals } from "./parts-of-totals.js";
import { lineLabel, linePercentage } from "./price-lines.js";
import { purchaseValue } from "./purchase-value.js";
import type { ReportContext } from "./report-context.js";

/**
 * Totals of a report from the lines of its header sheet. `counted` are the ids of the items that count: what a tax is
 * charged on is the sum over the items that it is charged on.
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

/** One line per name and rate. Lines before the net value with eco contribution are that contribution. */
function taxes(
  header: readonly PriceLine[],
  itemSheets: readonly Sheet[],
  context: ReportContext,
): ReportTotals["taxes"] {
  const sums = new Map<string, { label: string; rate: string | null; value: Exact }>();
  for (const line of taxLines(header)) {
    const label = lineLabel(line, context.labels);
    const rate = linePercentage(line);
    const key = taxKey(line);
    const value = line.value.plus(sums.get(key)?.value ?? 0);
    sums.set(key, { label, rate, value });
  }
  const bases = taxBases(itemSheets, context);
  return [...sums].map(([key, { label, rate, value }]) => {
    const base = bases.get(key);
    return {
      label,
      rate,
      base: base === undefined ? null : context.rounding.text(base),
      value: context.rounding.text(value),
    };
  });
}

function taxLines(lines: readonly PriceLine[]): PriceLine[] {
  const ecoLevel = tagged(lines, "NET_VALUE_ECO")?.line.level ?? -1;
  return lines.filter((line) => line.tags.includes("TAX") && isVisible(line) && line.line.level > ecoLevel);
}

function taxBases(sheets: readonly Sheet[], context: ReportContext): Map<string, Exact> {
  const bases = new Map<string, Exact>();
  for (const sheet of sheets) {
    const lines = context.prices.sheets.lines(sheet);
    const base = (tagged(lines, "NET_VALUE_ECO") ?? tagged(lines, "NET_VALUE"))?.value;
    if (base === undefined) continue;
    for (const key of new Set(taxLines(lines).map(taxKey))) bases.set(key, base.plus(bases.get(key) ?? 0));
  }
  return bases;
}

function taxKey({ line }: PriceLine): string {
  const rate = line.amount?.kind === "percentage" ? new Exact(line.amount.value).toFixed() : "";
  return `${line.level} ${line.conditionType ?? ""} ${rate}`;
}
