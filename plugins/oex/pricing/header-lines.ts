/** Header lines of one area (OEX reference, section 15.3). */
import { currencyDigits, type Exact } from "@slipway/sdk";
import type { Repairs } from "../repair/repairs.js";
import { type AreaAmounts, cents, nothing, type Step } from "./area-amounts.js";
import { type AreaTotals, byPlace, type ChangeTotal, type DocumentTotals } from "./document-totals.js";
import {
  amountText,
  baseOfStep,
  type DocumentRules,
  type PricingContext,
  type PricingLines,
  stepLine,
} from "./pricing-lines.js";

interface HeaderOfArea {
  totals: AreaTotals;
  /** The document has all articles of the project's totals. */
  complete: boolean;
  /** The session's taxes for the whole project, by key; used if the document is complete. */
  sessionTaxes: ReadonlyMap<string, Exact>;
  repairs: Repairs;
}

/**
 * Adds the header lines. Header discounts and surcharges are the sums of the exported articles' shares, so documents
 * split from one project add up to its total to the cent. The eco contribution and other charges that are not
 * percentages are the last surcharges, because they are taxed and `TOTL` has no other place for them. `ECFR` repeats
 * their sum for information.
 */
export function addHeaderLines(lines: PricingLines, header: HeaderOfArea, rules: DocumentRules): void {
  const { totals } = header;
  const { area } = totals;
  if (!rules.hidden[area].discounts) addDiscounts(lines, totals, rules);
  const net = lines.add(area, "TNET", totals.net);
  const changes = headerChanges(totals);
  if (!rules.hidden[area].headerDiscounts) addChanges(lines, net, changes, header, rules);
  const changed = written(totals.changed, "net total after header discounts", header);
  if (changes.length > 0) lines.add(area, "TNEH", changed);
  const taxes = addTaxes(lines, header, rules);
  lines.add(area, "TOTL", changed.plus(taxes));
  if (!totals.charge.isZero()) lines.add(area, "ECFR", totals.charge);
}

/** Discounts and surcharges of the header that are not zero, in order of calculation. */
export function headerChanges(totals: AreaTotals): ChangeTotal[] {
  return [...totals.changes.values()]
    .filter(({ step }) => !step.value.isZero())
    .sort((left, right) => byPlace(left.step, right.step));
}

function addDiscounts(lines: PricingLines, totals: AreaTotals, rules: DocumentRules): void {
  const { area } = totals;
  const steps = totals.steps();
  const gross = steps.reduce((sum, { value }) => sum.minus(value), totals.net);
  const base = lines.add(area, "TGRO", gross);
  for (const step of steps) {
    if (step.value.isZero()) continue;
    const { type, attributes } = stepLine(step, undefined, area, "item", rules);
    lines.add(area, type, step.value, { ...attributes, base });
  }
}

function addChanges(
  lines: PricingLines,
  net: number,
  changes: readonly ChangeTotal[],
  { totals, complete }: HeaderOfArea,
  rules: DocumentRules,
): void {
  const numbers = [net];
  const left = [totals.net];
  const before: Step[] = [];
  for (const { step, carriers } of changes) {
    const everywhere = complete || carriers === totals.valued;
    const given = everywhere ? step : { ...step, rate: undefined };
    const tolerance = rules.tolerance.times(complete ? 1 : carriers);
    const { index, rate } = baseOfStep(given, before, left, tolerance);
    const { type, attributes } = stepLine(step, rate, totals.area, "header", rules);
    const base = numbers[index] ?? net;
    numbers.push(lines.add(totals.area, type, step.value, { ...attributes, base }));
    left.push((left.at(-1) ?? nothing).plus(step.value));
    before.push(step);
  }
}

/** Returns the sum of all taxes. */
function addTaxes(lines: PricingLines, header: HeaderOfArea, rules: DocumentRules): Exact {
  const { totals, complete, sessionTaxes } = header;
  const { area } = totals;
  let sum = nothing;
  for (const tax of rules.taxCodes.taxes) {
    const taxable = totals.taxed.get(tax.key);
    const taxCode = rules.taxCodes.codeOf(tax);
    if (taxable === undefined || taxCode === undefined) continue;
    const net = written(taxable, `net total of tax code ${taxCode}`, header);
    const ofSession = complete && taxable.gte(0) ? sessionTaxes.get(tax.key) : undefined;
    const value = cents(ofSession ?? net.times(tax.rate).div(100));
    const base = lines.add(area, "TTNE", net, { taxCode });
    lines.add(area, "TTAX", value, { taxCode, base, rate: amountText(tax.rate) });
    sum = sum.plus(value);
  }
  return sum;
}

function written(value: Exact, field: string, { totals, repairs }: HeaderOfArea): Exact {
  if (value.gte(0)) return value;
  repairs.report({
    field: `${field}, area ${totals.area}`,
    value: amountText(value),
    change: "written as 0.00: the format has no signs",
    scope: "ERROR",
  });
  return nothing;
}

// Input for reports of differences between the totals of a document and of the project.

type Differences = Pick<PricingContext, "prices" | "repairs"> & {
  totals: DocumentTotals;
  ofProject: readonly AreaAmounts[];
  rules: DocumentRules;
};

/** Reports each difference once. */
export function reportDifferences({ prices, repairs, totals, ofProject, rules }: Differences): void {
  const { currency } = prices.calculation.header;
  if (ofProject.length > 0 && currencyDigits(currency) > 2) {
    repairs.report({ field: "currency", value: currency, change: "amounts rounded to two decimals" });
  }
  reportTaxes(rules, repairs);
  for (const project of ofProject) {
    const exported = totals.header.get(project.area);
    if (exported === undefined) continue;
    if (!totals.complete) reportLumpSums(project, exported, rules, repairs);
    const late = totals.complete ? project.late : exported.late;
    if (late.isZero()) continue;
    const change = "left out: the total is the sum of net value and taxes";
    repairs.report({ field: "rounding of the total", value: amountText(late), change });
  }
}

function reportTaxes({ taxCodes }: DocumentRules, repairs: Repairs): void {
  for (const tax of taxCodes.taxes) {
    const value = `${tax.type} ${tax.rate.toFixed()} %`;
    if (taxCodes.codeOf(tax) === undefined) {
      const change = "left out: a document has codes for 900 more taxes at most";
      repairs.report({ field: "tax", value, change, scope: "ERROR" });
    } else if (tax.rate.decimalPlaces() > 2) {
      repairs.report({ field: "tax", value, change: `rate written as ${amountText(tax.rate)}` });
    }
  }
}

/**
 * Percentages apply unchanged to some of the articles, and charges belong to single articles; only lump sums differ.
 */
function reportLumpSums(
  project: AreaAmounts,
  exported: AreaTotals,
  { texts }: DocumentRules,
  repairs: Repairs,
): void {
  for (const { key, value, rate, charge, label } of project.changes) {
    if (rate !== undefined || charge) continue;
    const share = exported.changes.get(key)?.step.value;
    if (share?.eq(value)) continue;
    const part = share === undefined ? "0.00" : amountText(share);
    repairs.report({
      field: `discount or surcharge of the whole project, area ${project.area}`,
      value: `${texts.of(label)} ${amountText(value)}`.trim(),
      change: `"${part}" is written: the part of the exported articles, in proportion to their net value`,
    });
  }
}
