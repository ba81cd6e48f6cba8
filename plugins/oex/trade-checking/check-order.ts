/**
 * Checks an order of general trade against the rules that neither its schema nor the published rules for Order-X have: sums,
 * taxes, discounts, quantity times price, and what is due of the parties. For UBL these are rules of Peppol as well.
 */
import { Exact } from "@slipway/sdk";
import {
  type DocumentElement,
  type DocumentProblem,
  DocumentProblems,
  type Report,
} from "../checking/document-element.js";
import { UnreadableDocument } from "../checking/read-document.js";
import { isCountry, prefixedVatNumber } from "../trade/trade-codes.js";
import { checkChange, checkLine, checkTax, decimal, dueDecimal, signedAmount } from "./line-rules.js";
import type { OrderFacts, OrderFormat, PartyFacts, TaxFacts, TotalFacts } from "./order-facts.js";
import { readOrder } from "./read-order.js";

const cent = new Exact("0.01");
const problemLimit = 200;

export interface OrderCheckOptions {
  /** Taxes besides the value added tax, which orders have in the total only. */
  otherTaxes?: Exact | undefined;
}

/** Reads an order of any size to its end. An empty list means that it complies with all rules. */
export async function checkOrder(
  document: AsyncIterable<Uint8Array> | Uint8Array,
  format: OrderFormat,
  { otherTaxes = new Exact(0) }: OrderCheckOptions = {},
): Promise<DocumentProblem[]> {
  const problems = new DocumentProblems(problemLimit);
  const check = new OrderCheck(format, problems, otherTaxes);
  try {
    const bytes = document instanceof Uint8Array ? [document] : document;
    const root = await readOrder(bytes, format.line, (line) => check.line(line));
    check.finish(root);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    problems.report("readable", error, undefined, error.message);
  }
  return problems.list();
}

class OrderCheck {
  private readonly ids = new Set<string>();
  private readonly currencies = new Map<string, number>();
  private sum = new Exact(0);
  /** Net values by category and rate. */
  private readonly taxed = new Map<string, Exact>();

  constructor(
    private readonly format: OrderFormat,
    private readonly problems: DocumentProblems,
    private readonly otherTaxes: Exact,
  ) {}

  line(element: DocumentElement): void {
    const facts = this.format.lineFacts(element);
    const report: Report = (rule, place, message) => this.problems.report(rule, place, facts.id, message);
    checkLine(facts, element, this.format, report);
    if (facts.id !== undefined && this.ids.has(facts.id))
      report("line-id", element, `another line has the id ${facts.id}`);
    this.ids.add(facts.id ?? "");
    const total = decimal(facts.total) ?? new Exact(0);
    this.sum = this.sum.plus(total);
    this.addTaxed(facts.tax, total);
    this.checkElements(element, report);
  }

  finish(root: DocumentElement): void {
    const report: Report = (rule, place, message) => this.problems.report(rule, place, undefined, message);
    const facts = this.format.orderFacts(root);
    this.checkElements(root, report);
    if (this.ids.size === 0) report("order-lines", root, "the order has no lines");
    for (const { name, value, expected } of facts.identifiers)
      if (value === undefined || !expected.includes(value))
        report("identifier", root, `${name} is ${value ?? "missing"}, expected ${expected.join(" or ")}`);
    checkDay(facts.issued, root, report);
    this.checkCurrency(facts.currency, report);
    for (const party of facts.parties) checkParty(party, root, report);
    for (const change of facts.changes) {
      checkChange(change, root, report);
      checkTax(change.tax, root, report);
      this.addTaxed(change.tax, signedAmount(change));
    }
    this.checkTotals(facts, root, report);
    this.checkTaxes(facts, root, report);
  }

  private addTaxed(tax: TaxFacts | undefined, value: Exact): void {
    const key = rateKey(tax);
    if (key !== undefined) this.taxed.set(key, value.plus(this.taxed.get(key) ?? 0));
  }

  /** No empty elements, and the decimals and currencies of all amounts. */
  private checkElements(element: DocumentElement, report: Report, isPrice = false): void {
    const { name, attributes, text, children } = element;
    const isEmpty = children.length === 0 && text.trim() === "" && name !== this.format.mayBeEmpty;
    if (isEmpty) report("empty-element", element, `${name} is empty`);
    const currency = attributes["currencyID"];
    if (currency !== undefined && !this.currencies.has(currency)) this.currencies.set(currency, element.line);
    const decimals = currency === undefined ? 0 : (text.trim().split(".")[1]?.length ?? 0);
    if (this.format.twoDecimals && !isPrice && decimals > 2)
      report("decimals", element, `${name} is ${text.trim()}, expected at most two decimals`);
    for (const child of children)
      this.checkElements(child, report, isPrice || child.name === this.format.price);
  }

  private checkCurrency(currency: string | undefined, report: Report): void {
    if (currency === undefined || !/^[A-Z]{3}$/.test(currency))
      report("currency", { line: 1 }, `the currency of the order is ${currency ?? "missing"}, expected one`);
    for (const [other, line] of this.currencies)
      if (other !== currency)
        report("currency", { line }, `an amount is in ${other}, expected ${currency ?? "one currency"}`);
  }

  private checkTotals({ totals, changes }: OrderFacts, place: DocumentElement, report: Report): void {
    const value = (name: keyof TotalFacts): Exact | undefined =>
      dueDecimal("totals", totalNames[name], totals[name], place, report);
    const expect = (rule: string, name: keyof TotalFacts, expected: Exact, why: string): void => {
      const found = value(name);
      if (found === undefined || found.eq(expected)) return;
      report(rule, place, `${totalNames[name]} is ${totals[name]}, expected ${expected.toFixed(2)}: ${why}`);
    };
    const sum = (isCharge: boolean): Exact =>
      changes.reduce(
        (all, change) => (change.isCharge === isCharge ? all.plus(signedAmount(change).abs()) : all),
        new Exact(0),
      );
    expect("lines-total", "lines", this.sum, "the sum of the lines");
    expect("change-totals", "allowances", sum(false), "the sum of the discounts");
    expect("change-totals", "charges", sum(true), "the sum of the surcharges");
    const [lines, allowances, charges] = [totals.lines, totals.allowances, totals.charges].map(decimal);
    if (lines !== undefined && allowances !== undefined && charges !== undefined)
      expect("net-total", "net", lines.minus(allowances).plus(charges), "lines, discounts and surcharges");
    const net = decimal(totals.net);
    if (net !== undefined) {
      const tax = decimal(totals.tax) ?? new Exact(0);
      expect("gross-total", "gross", net.plus(tax), "the net total and the taxes");
    }
    const gross = decimal(totals.gross);
    if ("payable" in totals && gross !== undefined)
      expect("gross-total", "payable", gross, "the total with taxes");
  }

  /** The taxes are those of the lines, discounts and surcharges at their rates. */
  private checkTaxes({ totals, taxes, currency }: OrderFacts, place: DocumentElement, report: Report): void {
    let expected = this.otherTaxes;
    for (const [key, net] of this.taxed) expected = expected.plus(net.times(rateOf(key)).div(100));
    const total = decimal(totals.tax) ?? new Exact(0);
    if (total.minus(expected).abs().gt(taxTolerance(currency).times(this.taxed.size)))
      report("tax-total", place, `the taxes are ${total}, expected ${expected.toFixed(2)} by their rates`);
    if (taxes === undefined) return;
    let sum = new Exact(0);
    for (const tax of taxes) {
      checkTax(tax, place, report);
      const amount = dueDecimal("tax-breakdown", "a tax", tax.amount, place, report);
      sum = sum.plus(amount ?? 0);
      const net = this.taxed.get(rateKey(tax) ?? "") ?? new Exact(0);
      if (!tax.isOther && !decimal(tax.basis)?.eq(net))
        report(
          "tax-breakdown",
          place,
          `the base of the tax of ${tax.rate} % is ${tax.basis}, expected ${net.toFixed(2)}`,
        );
    }
    if (!sum.eq(total))
      report("tax-breakdown", place, `the taxes are ${sum} together, expected their total ${total}`);
  }
}

const totalNames: Record<keyof TotalFacts, string> = {
  lines: "the total of the lines",
  allowances: "the total of the discounts",
  charges: "the total of the surcharges",
  net: "the total without taxes",
  tax: "the total of the taxes",
  gross: "the total with taxes",
  payable: "the amount to pay",
};

/** Rounding error of the tax of one rate: half of the smallest unit of the currency, as sessions round, and the last cent. */
function taxTolerance(currency = ""): Exact {
  if (!/^[A-Z]{3}$/.test(currency)) return cent;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return new Exact(10).pow(-digits).div(2).plus(cent);
}

/** Equal for equal category and rate; undefined without a tax. */
function rateKey(tax: TaxFacts | undefined): string | undefined {
  const rate = decimal(tax?.rate);
  return rate === undefined ? undefined : `${tax?.category} ${rate.toFixed()}`;
}

function rateOf(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}

function checkDay(day: string | undefined, place: DocumentElement, report: Report): void {
  const date = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day;
  if (!isDay) report("issue-date", place, `the day of the order is ${day ?? "missing"}, expected a day`);
}

function checkParty(party: PartyFacts, place: DocumentElement, report: Report): void {
  const { role, name, country, due, endpoint, endpointScheme, prefixedVatNumber: number } = party;
  if (!name) report("party", place, `the ${role} has no name`);
  if (due.includes("country") && !isCountry(country ?? ""))
    report("party", place, `the country of the ${role} is ${country ?? "missing"}, expected ISO 3166-1`);
  if (due.includes("endpoint") && (!endpoint || !endpointScheme))
    report("endpoint", place, `the ${role} has no electronic address with its scheme`);
  if (number !== undefined && prefixedVatNumber(number) !== number)
    report("vat-number", place, `the tax number ${number} has no prefix of a country`);
}
