/** Input for reports of differences between the totals of a document and of the project. */
import { currencyDigits } from "@slipway/sdk";
import type { Repairs } from "../repair/repairs.js";
import type { AreaAmounts } from "./area-amounts.js";
import type { AreaTotals } from "./area-totals.js";
import type { DocumentRules } from "./document-rules.js";
import type { DocumentTotals } from "./document-totals.js";
import { amountText, type PricingContext } from "./pricing-lines.js";
export type Differences = Pick<PricingContext, "prices" | "repairs"> & {
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
