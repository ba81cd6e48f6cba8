/** The lines of several items added up: of a set, of the whole project, of any group. */
import type { CompiledLine, CompiledProcedure } from "./compiled-procedure.js";
import { Exact, plus, zero } from "./exact.js";
import type { HeaderAmount } from "./group-conditions.js";
import { marginResult } from "./item-state.js";
import { type LineResult, noDataResult, plainResult, textResult } from "./line-result.js";
import type { Rounding } from "./rounding.js";

export interface AggregateOptions {
  rounding: Rounding;
  /** Of the header sheet: what its conditions state. */
  headerAmounts?: ReadonlyMap<CompiledLine, readonly HeaderAmount[]>;
}

/**
 * Adds up the results of `members`, line by line. Taxes make one line for each category and rate. A percentage stays
 * on a line when all members have the same one; relative margins are computed anew.
 */
export function aggregate(
  compiled: CompiledProcedure,
  members: readonly (readonly LineResult[])[],
  options: AggregateOptions,
): LineResult[] {
  const sums: Map<string, LineSum>[] = compiled.lines.map(() => new Map());
  for (const member of members) {
    for (const result of member) collect(sums[result.line.index], result);
  }
  const values = new Map<CompiledLine, Exact>();
  return compiled.lines.flatMap((line) => {
    const found = [...(sums[line.index]?.values() ?? [])];
    if (line.line.kind === "text" || line.line.kind === "break") return [textResult(line)];
    if (line.margin !== undefined) return [margin(line, line.margin, found, values, options.rounding)];
    if (line.line.kind === "subtotal") {
      const value = found[0]?.active ?? zero;
      values.set(line, value);
      return [plainResult(line, value)];
    }
    const results = conditionResults(line, found, members.length, options);
    for (const { inactive, value } of results) {
      if (inactive === undefined) values.set(line, (values.get(line) ?? zero).plus(value ?? zero));
    }
    return results;
  });
}

/** The results of one line that belong together. */
class LineSum {
  active = zero;
  activeCount = 0;
  replaced = zero;
  replacedCount = 0;
  /** The same percentage in all active results so far. */
  private percentage: string | undefined;

  constructor(readonly first: LineResult) {}

  add(result: LineResult): void {
    const value = result.value ?? zero;
    if (result.inactive === undefined) {
      this.active = plus(this.active, value);
      const percentage = result.amount?.kind === "percentage" ? result.amount.value : undefined;
      this.percentage = this.activeCount === 0 || this.percentage === percentage ? percentage : undefined;
      this.activeCount += 1;
    } else if (result.inactive === "SubsequentPrice") {
      this.replaced = plus(this.replaced, value);
      this.replacedCount += 1;
    }
  }

  /** `memberCount` undefined: the percentage needs to be the same only where there is one. */
  result(line: CompiledLine, counter: number, memberCount: number | undefined): LineResult {
    const { label, taxType, taxCategory } = this.first;
    const named = { ...plainResult(line), counter, taxType, taxCategory };
    if (line.type?.conditionClass === "tax" || line.header) named.label = label;
    if (this.activeCount > 0) {
      const everywhere = memberCount === undefined || memberCount === this.activeCount;
      const amount =
        everywhere && this.percentage !== undefined
          ? ({ kind: "percentage", value: this.percentage } as const)
          : undefined;
      return { ...named, value: this.active, amount };
    }
    if (this.replacedCount > 0) return { ...named, value: this.replaced, inactive: "SubsequentPrice" };
    return noDataResult(line, counter);
  }
}

function collect(sums: Map<string, LineSum> | undefined, result: LineResult): void {
  if (sums === undefined) return;
  const key = groupKey(result);
  let sum = sums.get(key);
  if (sum === undefined) {
    sum = new LineSum(result);
    sums.set(key, sum);
  }
  sum.add(result);
}

function groupKey({ line, counter, inactive, taxCategory, amount }: LineResult): string {
  if (line.header) return String(counter);
  if (line.type?.conditionClass !== "tax" || inactive !== undefined) return "";
  return `${taxCategory ?? ""} ${amount?.kind === "percentage" ? amount.value : ""}`;
}

function conditionResults(
  line: CompiledLine,
  found: readonly LineSum[],
  memberCount: number,
  { headerAmounts }: AggregateOptions,
): LineResult[] {
  const stated = headerAmounts?.get(line) ?? [];
  if (stated.length > 0) return stated.map((amount) => headerResult(line, amount, found));
  const applying = found.filter(({ activeCount, replacedCount }) => activeCount + replacedCount > 0);
  const shown = applying.length > 0 ? applying : found.slice(0, 1);
  if (shown.length === 0) return line.line.insertMode === "always" ? [noDataResult(line)] : [];
  if (line.header) return shown.map((sum) => sum.result(line, sum.first.counter, memberCount));
  if (line.type?.conditionClass !== "tax")
    return shown.map((sum) => sum.result(line, line.line.counter, memberCount));
  return shown.sort(byRate).map((sum, index) => sum.result(line, line.counterOf(index), undefined));
}

function headerResult(
  line: CompiledLine,
  { counter, stated }: HeaderAmount,
  found: readonly LineSum[],
): LineResult {
  const sum = found.find(({ first }) => first.counter === counter);
  if (sum === undefined || sum.activeCount === 0)
    return { ...noDataResult(line, counter), label: stated.label };
  const { label, amount, per, manual } = stated;
  return { ...sum.result(line, counter, undefined), label, amount, per, manual };
}

/** The highest rate first, then by category. */
function byRate({ first: a }: LineSum, { first: b }: LineSum): number {
  const rate = (result: LineResult): Exact => new Exact(result.amount?.value ?? 0);
  return rate(b).cmp(rate(a)) || ((a.taxCategory ?? "") < (b.taxCategory ?? "") ? -1 : 1);
}

function margin(
  line: CompiledLine,
  kind: "amount" | "relative",
  found: readonly LineSum[],
  values: ReadonlyMap<CompiledLine, Exact>,
  rounding: Rounding,
): LineResult {
  const known = found.some(({ activeCount }) => activeCount > 0);
  const above = line.runningFrom === undefined ? undefined : values.get(line.runningFrom);
  let below: Exact | undefined;
  for (const each of known ? (line.base ?? []) : []) below = (below ?? zero).plus(values.get(each) ?? zero);
  return marginResult(line, kind, above, below, rounding);
}
