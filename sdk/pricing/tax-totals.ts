/** Taxes of a document: one row per name and rate, with what it is charged on. */

import { Exact } from "../exact.js";
import type { Sheet } from "../project/document.js";
import { isVisible } from "./sheet-lines.js";
import { type PriceLine, type SheetReader, tagged } from "./sheet-reader.js";

/** One tax at one rate. */
export interface TaxTotal {
  /** The first line of it: its label, condition type and rate are those of the row. */
  line: PriceLine;
  /** What it is charged on: the sum over the items that have it; undefined where no item says so. */
  base: Exact | undefined;
  /** What it comes to. */
  value: Exact;
}

/**
 * The taxes of the lines of a header sheet. `itemSheets` are those of the items that count: what a tax is charged on is
 * the sum over the items that it is charged on. Lines before the net value with eco contribution are that contribution.
 */
export function taxTotals(
  header: readonly PriceLine[],
  itemSheets: readonly Sheet[],
  sheets: SheetReader,
): TaxTotal[] {
  const sums = new Map<string, { line: PriceLine; value: Exact }>();
  for (const line of taxLines(header)) {
    const key = taxKey(line);
    const sum = sums.get(key);
    sums.set(key, { line: sum?.line ?? line, value: line.value.plus(sum?.value ?? 0) });
  }
  const bases = taxBases(itemSheets, sheets);
  return [...sums].map(([key, { line, value }]) => ({ line, value, base: bases.get(key) }));
}

function taxLines(lines: readonly PriceLine[]): PriceLine[] {
  const ecoLevel = tagged(lines, "NET_VALUE_ECO")?.line.level ?? -1;
  return lines.filter((line) => line.tags.includes("TAX") && isVisible(line) && line.line.level > ecoLevel);
}

function taxBases(itemSheets: readonly Sheet[], sheets: SheetReader): Map<string, Exact> {
  const bases = new Map<string, Exact>();
  for (const sheet of itemSheets) {
    const lines = sheets.lines(sheet);
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
