/** Rules of one line of an order. */
import { Exact } from "@slipway/sdk";
import type { DocumentElement, Report } from "../checking/document-element.js";
import type { ChangeFacts, LineFacts, OrderFormat, TaxFacts } from "./order-facts.js";

const cent = new Exact("0.01");
/** Of an amount that a rate leads to: Peppol's own. */
const rateTolerance = new Exact("0.02");

/** A decimal; undefined for anything else. */
export function decimal(text: string | undefined): Exact | undefined {
  return text !== undefined && /^[+-]?\d+(?:\.\d+)?$/.test(text) ? new Exact(text) : undefined;
}

/** A number that is due and not below zero; undefined, with a report of `rule`, if it is anything else. */
export function dueDecimal(
  rule: string,
  name: string,
  text: string | undefined,
  place: { line: number },
  report: Report,
): Exact | undefined {
  const value = decimal(text);
  if (value?.gte(0)) return value;
  report(rule, place, `${name} is ${text ?? "missing"}, expected a decimal of at least 0`);
  return undefined;
}

/** Id, name, quantity, prices and tax of a line. */
export function checkLine(
  line: LineFacts,
  place: DocumentElement,
  format: OrderFormat,
  report: Report,
): void {
  if (!line.id) report("line-id", place, "a line has no id");
  if (!line.name) report("line-name", place, "the line has no name of its product");
  if (!line.unit) report("line-quantity", place, "the quantity has no unitCode");
  const quantity = dueDecimal("line-quantity", "the quantity", line.quantity, place, report);
  const net = dueDecimal("net-price", "the net price", line.net, place, report);
  const total = dueDecimal("line-total", "the total of the line", line.total, place, report);
  const basis = basisOf(line.basis, place, report);
  if (quantity !== undefined && net !== undefined && total !== undefined && basis !== undefined) {
    const expected = net.times(quantity).div(basis).toDecimalPlaces(2, Exact.ROUND_HALF_UP);
    if (!expected.eq(total))
      report(
        "line-total",
        place,
        `the total of the line is ${total}, expected ${expected}: ${net} for ${basis}, of which there are ${quantity}`,
      );
  }
  if (net !== undefined && basis !== undefined) checkGross(line, { net, basis }, place, format, report);
  checkTax(line.tax, place, report);
}

function basisOf(text: string | undefined, place: DocumentElement, report: Report): Exact | undefined {
  const basis = text === undefined ? new Exact(1) : decimal(text);
  if (basis?.gt(0)) return basis;
  report("base-quantity", place, `the quantity that the price is for is ${text}, expected more than 0`);
  return undefined;
}

function checkGross(
  { gross }: LineFacts,
  { net, basis }: { net: Exact; basis: Exact },
  place: DocumentElement,
  { exactGross }: OrderFormat,
  report: Report,
): void {
  if (gross === undefined) return;
  const amount = dueDecimal("gross-price", "the gross price", gross.amount, place, report);
  const grossBasis = basisOf(gross.basis, place, report);
  if (amount === undefined || grossBasis === undefined) return;
  let left = amount;
  for (const change of gross.changes) {
    checkChange(change, place, report);
    left = left.plus(signedAmount(change));
  }
  const expected = net.times(grossBasis).div(basis);
  // A net price for a fraction magnifies the rounding of its total.
  const tolerance = exactGross
    ? 0
    : cent.times(gross.changes.length + 1).plus(cent.times(grossBasis).div(basis));
  if (left.minus(expected).abs().gt(tolerance))
    report(
      "gross-price",
      place,
      `the gross price ${amount} leads to ${left.toFixed()} after its discounts, expected the net price ${expected.toFixed(2)}`,
    );
}

/** The amount of a discount or surcharge, below zero for a discount. */
export function signedAmount({ isCharge, amount }: ChangeFacts): Exact {
  return (decimal(amount) ?? new Exact(0)).times(isCharge ? 1 : -1);
}

/** A discount or surcharge: its amount, percentage and reason. */
export function checkChange(change: ChangeFacts, place: { line: number }, report: Report): void {
  const name = change.isCharge ? "a surcharge" : "a discount";
  const amount = dueDecimal("change-amount", name, change.amount, place, report);
  if (!change.reason) report("change-reason", place, `${name} has no reason`);
  const percent = decimal(change.percent);
  const of = decimal(change.of);
  if ((percent === undefined) !== (of === undefined) && change.reason !== "price")
    report("change-percent", place, `${name} has only one of percentage and base, expected both or none`);
  if (amount === undefined || percent === undefined || of === undefined) return;
  const expected = of.times(percent).div(100);
  if (amount.minus(expected).abs().gt(rateTolerance))
    report(
      "change-percent",
      place,
      `${name} is ${amount}, expected ${expected.toFixed(2)}: ${percent} % of ${of}`,
    );
}

/** Category and rate of a tax belong together: only the standard category has a rate. */
export function checkTax(tax: TaxFacts | undefined, place: { line: number }, report: Report): void {
  if (tax === undefined) return;
  const rate = dueDecimal("tax-category", "the rate of the tax", tax.rate, place, report);
  const { category } = tax;
  const isFree = category === "Z" || category === "E";
  if (category !== "S" && !isFree)
    report("tax-category", place, `the category of the tax is ${category}, expected S, Z or E`);
  else if (rate !== undefined && rate.isZero() !== isFree)
    report("tax-category", place, `the tax of category ${category} has the rate ${rate}`);
}
