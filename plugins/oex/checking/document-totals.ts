/** Checks sums over the items against the header, area by area (OEX reference, sections 15.2 to 15.4 and 15.7). */
import { Exact } from "@slipway/sdk";
import {
  byArea,
  deductions,
  expectValue,
  lineOf,
  named,
  type PricedLine,
  pricedUnits,
  roundedCent,
  sumOf,
} from "./amount-rules.js";
import type { DocumentElement, Report } from "./document-element.js";

const zero = new Exact(0);
const halfCent = new Exact("0.005");

/** Sums of the counted articles in one area. */
interface AreaSums {
  gross: Exact;
  /** Possible rounding error of the gross total and of amounts derived from it. */
  grossTolerance: Exact;
  /** Every article with a price has a gross price. */
  hasGross: boolean;
  net: Exact;
  netAfterDiscounts: Exact;
  hasNetAfterDiscounts: boolean;
  /** By tax code. */
  taxed: Map<string, Exact>;
  /** The same after header discounts and surcharges, by the share that each article states. */
  taxedAfterDiscounts: Map<string, Exact>;
  /** Every article with a price has taxes. */
  isTaxed: boolean;
}

/** Sums of one document, item by item: articles only, without alternative and optional ones. */
export class DocumentTotals {
  readonly #header: ReadonlyMap<string, PricedLine[]>;
  readonly #headerPlace: DocumentElement;
  readonly #report: Report;
  readonly #sums = new Map<string, AreaSums>();
  /** By tax code: the rate and the line that first states it. */
  readonly #rates = new Map<string, { rate: string; line: PricedLine }>();

  constructor(header: DocumentElement, lines: readonly PricedLine[], report: Report) {
    this.#header = byArea(lines);
    this.#headerPlace = header;
    this.#report = report;
    this.#checkRates(lines, report);
    for (const [area, of] of this.#header) {
      if (isSummed(area) && lineOf(of, "TNET") === undefined) this.#missHeaderNet(area);
    }
  }

  /** Call for every article. `counts`: it is neither alternative nor optional. */
  addArticle(item: DocumentElement, lines: readonly PricedLine[], counts: boolean, report: Report): void {
    this.#checkRates(lines, report);
    const areas = byArea(lines);
    for (const area of new Set([...this.#header.keys(), ...areas.keys()])) {
      if (!isSummed(area)) continue;
      const of = areas.get(area) ?? [];
      if (lineOf(of, "TNET") === undefined) {
        report(
          "item-net-total",
          item,
          `${item.name} has no itmPricing TNET of area ${area}, expected the net total`,
        );
      }
      this.#checkAfterDiscounts(area, of, report);
      if (counts) this.#add(area, of, pricedUnits(item, of));
    }
  }

  /** Sets are for information only and are not summed. */
  addSet(lines: readonly PricedLine[], report: Report): void {
    this.#checkRates(lines, report);
  }

  finish(): void {
    for (const [area, sums] of this.#sums) {
      const lines = this.#header.get(area);
      if (lines === undefined) {
        this.#missHeaderNet(area);
        continue;
      }
      this.#expect(
        lineOf(lines, "TNET"),
        sums.net,
        zero,
        "header-net-total",
        "the sum of the articles' TNET",
      );
      if (sums.hasGross) this.#checkGross(lines, sums);
      if (sums.hasNetAfterDiscounts) {
        const explanation = "the sum of the articles' TNEH";
        this.#expect(
          lineOf(lines, "TNEH"),
          sums.netAfterDiscounts,
          zero,
          "header-net-after-discounts",
          explanation,
        );
      }
      this.#checkTaxes(area, lines, sums);
    }
  }

  #checkAfterDiscounts(area: string, lines: readonly PricedLine[], report: Report): void {
    const line = lineOf(lines, "SNEH") ?? lineOf(lines, "TNEH");
    if (line === undefined || lineOf(this.#header.get(area) ?? [], "TNEH") !== undefined) return;
    report(
      "item-net-after-discounts",
      line.frame,
      `${named(line)}, expected only with TNEH (${area}) in the header`,
    );
  }

  #add(area: string, lines: readonly PricedLine[], units: Exact): void {
    const sums = this.#sums.get(area) ?? emptySums();
    this.#sums.set(area, sums);
    const net = sumOf(lines, "TNET");
    const steps = lines.filter((line) => line.type in deductions).length;
    sums.net = sums.net.plus(net);
    sums.gross = sums.gross.plus(sumOf(lines, "SGRO").times(units));
    sums.grossTolerance = sums.grossTolerance.plus(halfCent.times(units).times(1 + steps)).plus(roundedCent);
    sums.hasGross &&= net.isZero() || lineOf(lines, "SGRO") !== undefined;
    sums.netAfterDiscounts = sums.netAfterDiscounts.plus(sumOf(lines, "TNEH"));
    sums.hasNetAfterDiscounts ||= lineOf(lines, "TNEH") !== undefined;
    sums.isTaxed &&= net.isZero() || lineOf(lines, "TTNE") !== undefined;
    const share = net.isZero() ? new Exact(1) : sumOf(lines, "TNEH").dividedBy(net);
    for (const { type, value, attributes } of lines) {
      const code = attributes["aTaxCode"];
      if (type !== "TTNE" || code === undefined) continue;
      addTo(sums.taxed, code, value);
      addTo(sums.taxedAfterDiscounts, code, value.times(share));
    }
  }

  /** Checks the gross total, and the net total after the items' discounts and surcharges. */
  #checkGross(lines: readonly PricedLine[], sums: AreaSums): void {
    const gross = lineOf(lines, "TGRO");
    if (gross === undefined) return;
    this.#expect(gross, sums.gross, sums.grossTolerance, "header-gross-total", "the sum of SGRO x quantity");
    const net = gross.value.minus(sumOf(lines, "DISI")).plus(sumOf(lines, "SURI"));
    const explanation = "TGRO less DISI plus SURI";
    this.#expect(lineOf(lines, "TNET"), net, sums.grossTolerance, "header-discounts", explanation);
  }

  /**
   * Each tax code has its share of the net total; the last one absorbs the rounding difference. If articles state their
   * amounts after discounts, the discounts may differ between articles.
   */
  #checkTaxes(area: string, lines: readonly PricedLine[], sums: AreaSums): void {
    const before = lineOf(lines, "TNET");
    const after = lineOf(lines, "TNEH") ?? before;
    if (before === undefined || after === undefined) return;
    const taxed = lines.filter((line) => line.type === "TTNE");
    const codes = new Set(taxed.map((line) => line.attributes["aTaxCode"]));
    for (const code of sums.taxed.keys()) {
      if (codes.has(code)) continue;
      this.#report(
        "header-tax",
        this.#headerPlace,
        `hdrPricing TTNE (${area}) of tax code ${code} is missing`,
      );
    }
    const share = before.value.isZero() ? new Exact(1) : after.value.dividedBy(before.value);
    const tolerance = before === after ? zero : halfCent.times(taxed.length + 1);
    for (const line of taxed) {
      const code = line.attributes["aTaxCode"] ?? "";
      const stated = sums.hasNetAfterDiscounts ? sums.taxedAfterDiscounts.get(code) : undefined;
      const expected = stated ?? (sums.taxed.get(code) ?? zero).times(share);
      this.#expect(line, expected, tolerance, "header-tax", `the share of the articles of tax code ${code}`);
    }
    if (!sums.isTaxed || taxed.length === 0) return;
    const sum = sumOf(lines, "TTNE");
    if (sum.equals(after.value)) return;
    const message = `${named(after)} is ${after.value}, its TTNE are ${sum} together, expected the same`;
    this.#report("tax-net-sum", after.frame, message);
  }

  /** A tax code has one rate in the whole document. */
  #checkRates(lines: readonly PricedLine[], report: Report): void {
    for (const line of lines) {
      const code = line.attributes["aTaxCode"];
      if (line.type !== "TTAX" || code === undefined || line.rate === undefined) continue;
      const rate = line.rate.toString();
      const first = this.#rates.get(code);
      if (first === undefined) this.#rates.set(code, { rate, line });
      else if (first.rate !== rate) {
        const other = `${first.rate} in line ${first.line.frame.line}`;
        report("tax-rate", line.frame, `${named(line)}: rate of tax code ${code} is ${rate}, but ${other}`);
      }
    }
  }

  #missHeaderNet(area: string): void {
    const message = `docHeader has no hdrPricing TNET of area ${area}, expected the net total`;
    this.#report("header-net-total", this.#headerPlace, message);
  }

  #expect(
    line: PricedLine | undefined,
    expected: Exact,
    tolerance: Exact,
    rule: string,
    explanation: string,
  ): void {
    expectValue(line, expected, tolerance, { rule, explanation }, this.#report);
  }
}

/** Original prices are not part of the calculation. */
function isSummed(area: string): boolean {
  return area === "P" || area === "S";
}

function emptySums(): AreaSums {
  return {
    gross: zero,
    grossTolerance: zero,
    hasGross: true,
    net: zero,
    netAfterDiscounts: zero,
    hasNetAfterDiscounts: false,
    taxed: new Map(),
    taxedAfterDiscounts: new Map(),
    isTaxed: true,
  };
}

function addTo(sums: Map<string, Exact>, code: string, value: Exact): void {
  sums.set(code, (sums.get(code) ?? zero).plus(value));
}
