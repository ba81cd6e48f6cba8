import type { Amount, Exact, PriceLine, ReportCalculationLine, TextReader } from "@slipway/sdk";

/** Converts the lines of a sheet to template data. */
export function calculationLines(lines: readonly PriceLine[], labels: TextReader): ReportCalculationLine[] {
  return lines.map(({ line, tags }) => ({
    level: line.level,
    counter: line.counter,
    label: labels.ofProject(line.label, "name of a price line"),
    tags: [...tags],
    amount: line.amount === undefined ? null : lineAmount(line.amount),
    value: line.value?.value ?? null,
  }));
}

function lineAmount(amount: Amount): NonNullable<ReportCalculationLine["amount"]> {
  switch (amount.kind) {
    case "money":
      return { kind: "money", value: amount.value, unit: amount.currency };
    case "percentage":
      return { kind: "percentage", value: amount.value, unit: "%" };
    case "quantity":
      return { kind: "quantity", value: amount.value, unit: amount.unit };
  }
}

/** Name of a price line in the language of the labels. */
export function lineLabel({ line }: PriceLine, labels: TextReader): string {
  return labels.ofProject(line.label, "name of a price line");
}

/** The percentage of a line as text; null for other lines. */
export function linePercentage({ line }: PriceLine): string | null {
  return line.amount?.kind === "percentage" ? line.amount.value : null;
}

/** An exact non-monetary number as text, with all its digits. Avoids the negative zero of decimals. */
export function decimalText(value: Exact): string {
  return value.isZero() ? "0" : value.toFixed();
}
