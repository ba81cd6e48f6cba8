import {
  distribute,
  Exact,
  isVisible,
  manufacturerNames,
  type PriceLine,
  printedItemIds,
  purchaseValue,
  type ReportFolderTotal,
  type ReportManufacturerTotal,
  type ReportTotalPart,
  type ReportTotals,
  type Sheet,
  sheetsOf,
  tagged,
  taxTotals,
  type ViewNode,
} from "@slipway/sdk";
import { deliveryData } from "./packaging.js";
import { decimalText, lineLabel, linePercentage } from "./price-lines.js";
import { type CountedPosition, countedPositions, type ReportContext } from "./report-context.js";

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

// Breakdown of a report's totals by manufacturer and folder, with shares.

const zero = new Exact(0);

/** Number and sums of counted items. */
interface Amounts {
  positions: number;
  pieces: Exact;
  net: Exact;
}

function amountsOf(positions: readonly CountedPosition[]): Amounts {
  let net = zero;
  let pieces = zero;
  for (const each of positions) {
    if (!each.net.isZero()) net = net.plus(each.net);
    if (!each.pieces.isZero()) pieces = pieces.plus(each.pieces);
  }
  return { positions: positions.length, pieces, net };
}

/**
 * One row per manufacturer, largest net value first. The last row has items without a manufacturer, and the difference
 * between the whole and its items: a header sheet delivered with the project may differ from them.
 */
function manufacturerTotals(
  positions: readonly CountedPosition[],
  whole: Amounts,
  context: ReportContext,
): ReportManufacturerTotal[] {
  const makers = new Map<string, { manufacturerId: string; name: string; positions: CountedPosition[] }>();
  for (const counted of positions) {
    const { item } = counted.position;
    const manufacturerId = item.manufacturerId ?? "";
    const name = context.texts.ofItem(manufacturerNames(context.project, item), item.id, "manufacturerName");
    const key = manufacturerId === "" ? `name ${name}` : `id ${manufacturerId}`;
    if (manufacturerId === "" && name === "") continue;
    const maker = makers.get(key) ?? { manufacturerId, name, positions: [] };
    maker.name ||= name;
    maker.positions.push(counted);
    makers.set(key, maker);
  }
  const rows = [...makers.values()].map((maker) => ({
    row: { manufacturerId: maker.manufacturerId, name: maker.name },
    amounts: amountsOf(maker.positions),
  }));
  rows.sort((left, right) => right.amounts.net.cmp(left.amounts.net));
  return totalParts(rows, { manufacturerId: "", name: "" }, whole, context);
}

/** One row per top-level folder, then the items outside of folders. An item counts in one folder only. */
function folderTotals(
  nodes: readonly ViewNode[],
  whole: Amounts,
  context: ReportContext,
): ReportFolderTotal[] {
  const counted = new Set<string>();
  const countedParts = new Set<CountedPosition>();
  const rows = nodes.flatMap((node) => {
    const { id, item, position } = node;
    if (item.type !== "folder") return [];
    const ids = printedItemIds([node], context).filter((each) => !counted.has(each));
    const parts = countedPositions(ids, context).filter((part) => !countedParts.has(part));
    for (const each of ids) counted.add(each);
    for (const part of parts) countedParts.add(part);
    const net = context.prices.sheets.value(sheetsOf(ids, context), "ITEM_NET_VALUE");
    const name = context.texts.ofItem(item.name, item.id, "name");
    return { row: { id, position, name }, amounts: { ...amountsOf(parts), net } };
  });
  return totalParts<Omit<ReportFolderTotal, keyof ReportTotalPart>>(
    rows,
    { id: null, position: "", name: "" },
    whole,
    context,
  );
}

/** Rows with their shares, and a last row for the remainder, if any. */
function totalParts<Row extends object>(
  rows: readonly { row: Row; amounts: Amounts }[],
  restRow: Row,
  whole: Amounts,
  { rounding }: ReportContext,
): (Row & ReportTotalPart)[] {
  const rest = rows.reduce((left, { amounts }) => minus(left, amounts), whole);
  const isRest = rest.positions !== 0 || !rest.net.isZero() || !rest.pieces.isZero();
  const all = isRest ? [...rows, { row: restRow, amounts: rest }] : rows;
  const shares = sharesOf(
    all.map(({ amounts }) => amounts.net),
    whole.net,
  );
  return all.map(({ row, amounts }, index) => ({
    ...row,
    positions: amounts.positions,
    quantity: decimalText(amounts.pieces),
    net: rounding.text(amounts.net),
    share: shares[index] ?? null,
  }));
}

const hundred = new Exact(100);
const shareDigits = 2;
const hundredths = {
  interval: new Exact(10).pow(-shareDigits),
  floor: (value: Exact) => value.toDecimalPlaces(shareDigits, Exact.ROUND_FLOOR),
};

/** Percentages that add up to exactly 100; empty for a total of zero. */
function sharesOf(parts: readonly Exact[], whole: Exact): string[] {
  if (whole.isZero()) return [];
  const exact = parts.map((part, index) => ({
    id: String(index).padStart(9, "0"),
    exact: part.times(hundred).div(whole),
  }));
  const nothing = zero.toFixed(shareDigits);
  return distribute(hundred, exact, hundredths).map((share) =>
    share.isZero() ? nothing : share.toFixed(shareDigits),
  );
}

function minus(left: Amounts, right: Amounts): Amounts {
  return {
    positions: left.positions - right.positions,
    pieces: left.pieces.minus(right.pieces),
    net: left.net.minus(right.net),
  };
}
