/** Header lines of one area (OEX reference, section 15.3). */
import type { Exact } from "@slipway/sdk";
import type { Repairs } from "../repair/repairs.js";
import { cents, nothing, type Step } from "./area-amounts.js";
import { type AreaTotals, byPlace, type ChangeTotal } from "./area-totals.js";
import { type DocumentRules, stepLine } from "./document-rules.js";
import { amountText, baseOfStep, type PricingLines } from "./pricing-lines.js";

export interface HeaderOfArea {
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
