/**
 * Arithmetic inside one frame (OEX reference, sections 15.1 to 15.4). Sums of written amounts must be exact. Calculated
 * amounts may differ by one cent plus the rounding of the written factors: a session may deliver totals from which unit
 * prices and rates were rounded.
 */
import { Exact } from "@slipway/sdk";
import type { DocumentElement, Report } from "./document-element.js";

const zero = new Exact(0);
const cent = new Exact("0.01");
/** Rounding error of an amount, plus the last cent. */
export const roundedCent = new Exact("0.015");
const halfCent = new Exact("0.005");
/** Rounding error of a rate with two decimals, as a factor. */
const rateRounding = new Exact("0.00005");

export const deductions: Readonly<Record<string, -1 | 1>> = { DISI: -1, DISH: -1, SURI: 1, SURH: 1 };

/** Checks one area of the header or of an item. `units` is quantity / price unit of an item. */
export function checkAmounts(area: readonly PricedLine[], units: Exact | undefined, report: Report): void {
  const left = remainders(area);
  for (const line of area) {
    if (line.type in deductions || line.type === "TTAX") checkCalculation(line, left, report);
    if (line.type.startsWith("SUB"))
      expectAmount(line, left.get(line), cent, "what is left before it", report);
  }
  if (units === undefined) checkHeaderNet(area, left, report);
  else checkItemNet(area, left, units, report);
  checkTaxes(area, report);
}

/** The remaining amount after each line of a calculation: from `SGRO` on items, from `TNET` in the header. */
function remainders(area: readonly PricedLine[]): Map<PricedLine, Exact> {
  const left = new Map<PricedLine, Exact>();
  let rest: Exact | undefined;
  for (const line of area) {
    const isHeader = line.frame.name === "hdrPricing";
    const direction = deductions[line.type];
    if (line.type === (isHeader ? "TNET" : "SGRO")) rest = line.value;
    else if (rest !== undefined && direction !== undefined) rest = rest.plus(line.value.times(direction));
    else if (!line.type.startsWith("SUB")) continue;
    if (rest !== undefined) left.set(line, rest);
  }
  return left;
}

function checkCalculation(line: PricedLine, left: ReadonlyMap<PricedLine, Exact>, report: Report): void {
  const { base, rate } = line;
  if (base === undefined || rate === undefined) return;
  const from = base.type in deductions ? left.get(base) : base.value;
  if (from === undefined) return;
  const tolerance = line.type === "TTAX" ? roundedCent : from.times(rateRounding).plus(roundedCent);
  expectAmount(line, from.times(rate).dividedBy(100), tolerance, `${rate} % of ${from}`, report);
}

/** `SNET` is the remainder of `SGRO`; `TNET` is `SNET` for the whole quantity. */
function checkItemNet(
  area: readonly PricedLine[],
  left: ReadonlyMap<PricedLine, Exact>,
  units: Exact,
  report: Report,
): void {
  const unitPrice = lineOf(area, "SNET");
  if (unitPrice === undefined) return;
  const steps = area.filter((line) => left.has(line));
  const last = steps.at(-1);
  if (last !== undefined) {
    const expected = left.get(last);
    expectAmount(unitPrice, expected, cent.times(steps.length), "what is left of SGRO", report);
  }
  const tolerance = halfCent.times(units).plus(cent);
  const explanation = `SNET ${unitPrice.value} x ${units}`;
  expectAmount(lineOf(area, "TNET"), unitPrice.value.times(units), tolerance, explanation, report);
}

/** `TNEH` is the remainder of `TNET`, and required if anything was deducted or added. */
function checkHeaderNet(
  area: readonly PricedLine[],
  left: ReadonlyMap<PricedLine, Exact>,
  report: Report,
): void {
  const last = area.filter((line) => line.type === "DISH" || line.type === "SURH").at(-1);
  if (last === undefined) return;
  const net = lineOf(area, "TNEH");
  if (net === undefined) {
    report(
      "header-net-after-discounts",
      last.frame,
      `${named(last)}: TNEH of its area is missing, expected after it`,
    );
  }
  expectAmount(net, left.get(last), zero, "TNET less discounts plus surcharges", report);
}

/** The net amounts of all tax codes add up to the net total, and with the taxes to the total. */
function checkTaxes(area: readonly PricedLine[], report: Report): void {
  const isHeader = area[0]?.frame.name === "hdrPricing";
  const net = (isHeader ? lineOf(area, "TNEH") : undefined) ?? lineOf(area, "TNET");
  if (net === undefined) return;
  const taxes = sumOf(area, "TTAX");
  const explanation = `${net.type} ${net.value} + taxes ${taxes}`;
  expectAmount(lineOf(area, "TOTL"), net.value.plus(taxes), zero, explanation, report);
  if (isHeader || lineOf(area, "TTNE") === undefined) return;
  const taxed = sumOf(area, "TTNE");
  if (taxed.equals(net.value)) return;
  report(
    "tax-net-sum",
    net.frame,
    `${named(net)} is ${net.value}, its TTNE are ${taxed} together, expected the same`,
  );
}

function expectAmount(
  line: PricedLine | undefined,
  expected: Exact | undefined,
  tolerance: Exact,
  explanation: string,
  report: Report,
): void {
  const rule = line?.type === "TOTL" ? "total" : line?.type === "TTAX" ? "tax-amount" : "amount";
  expectValue(line, expected, tolerance, { rule, explanation }, report);
}

/** Reports a line whose value differs from the expected one by more than the tolerance. */
export function expectValue(
  line: PricedLine | undefined,
  expected: Exact | undefined,
  tolerance: Exact,
  { rule, explanation }: { rule: string; explanation: string },
  report: Report,
): void {
  if (line === undefined || expected === undefined) return;
  if (line.value.minus(expected).abs().lessThanOrEqualTo(tolerance)) return;
  const rounded = expected.toFixed(2, Exact.ROUND_HALF_UP);
  report(rule, line.frame, `${named(line)} is ${line.value.toFixed(2)}, expected ${rounded}: ${explanation}`);
}

/** Sum of all values of a type. */
export function sumOf(area: readonly PricedLine[], type: string): Exact {
  return area.reduce((sum, line) => (line.type === type ? sum.plus(line.value) : sum), zero);
}

/** Quantity of an item divided by the price unit of its net (otherwise gross) unit price. */
export function pricedUnits(item: DocumentElement, area: readonly PricedLine[]): Exact {
  const quantity = amount(item.value("vOrderQuantity") ?? item.value("vQuoteQuantity")) ?? zero;
  const unitPrice = lineOf(area, "SNET") ?? lineOf(area, "SGRO");
  const unit = amount(unitPrice?.frame.value("vPriceUnit"));
  return unit === undefined || unit.isZero() ? quantity : quantity.dividedBy(unit);
}

// Price lines as input for the rules (OEX reference, sections 6.9 and 9.7).

export interface PricedLine {
  /** `hdrPricing` or `itmPricing`. */
  frame: DocumentElement;
  /** `aCondNo` as written. */
  number: string;
  type: string;
  area: string;
  /** Attributes of `vConditionType`. */
  attributes: Readonly<Record<string, string>>;
  /** Zero if it is not an amount, which the schema check reports. */
  value: Exact;
  rate: Exact | undefined;
  /** The line that `aCondRef` refers to, if it is an earlier one. */
  base: PricedLine | undefined;
}

/** All lines of the header or of one item, in order. */
export function readLines(part: DocumentElement): PricedLine[] {
  const byNumber = new Map<string, PricedLine>();
  const lines: PricedLine[] = [];
  for (const frame of part.children) {
    if (frame.name !== "hdrPricing" && frame.name !== "itmPricing") continue;
    const type = frame.child("vConditionType");
    const attributes = type?.attributes ?? {};
    const line: PricedLine = {
      frame,
      number: frame.attributes["aCondNo"] ?? "",
      type: type?.text ?? "",
      area: attributes["aCondArea"] ?? "",
      attributes,
      value: amount(frame.value("vConditionValue")) ?? new Exact(0),
      rate: amount(frame.value("vConditionRate")),
      base: byNumber.get(attributes["aCondRef"] ?? ""),
    };
    lines.push(line);
    byNumber.set(line.number, line);
  }
  return lines;
}

/** Parses a number of the format: digits and an optional decimal point. */
function amount(text: string | undefined): Exact | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? new Exact(text) : undefined;
}

/** Groups lines by area, in order. */
export function byArea(lines: readonly PricedLine[]): Map<string, PricedLine[]> {
  const areas = new Map<string, PricedLine[]>();
  for (const line of lines) {
    const area = areas.get(line.area);
    if (area === undefined) areas.set(line.area, [line]);
    else area.push(line);
  }
  return areas;
}

export function lineOf(lines: readonly PricedLine[], type: string): PricedLine | undefined {
  return lines.find((line) => line.type === type);
}

/** Label of a line in problems. */
export function named({ frame, number, type, area }: PricedLine): string {
  return `${frame.name} ${number} ${type} (${area})`;
}
