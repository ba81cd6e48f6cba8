/** Adds up the lines of several items: of a set, of the whole project, or of any group. */

import { Exact, plus, sum, zero } from "../locale/exact.js";
import type { CompiledLine, CompiledProcedure } from "./compiled-procedure.js";
import type { HeaderAmount } from "./group-conditions.js";
import { type LineResult, marginResult, noDataResult, plainResult, textResult } from "./item-state.js";
import { aggregateByFormula, type FormulaSources } from "./line-formulas.js";

export interface AggregateOptions extends FormulaSources {
  /** For the header sheet: the amounts of its conditions. */
  headerAmounts?: ReadonlyMap<CompiledLine, readonly HeaderAmount[]>;
}

/**
 * Adds up the results of `members`, line by line. Taxes have one line per category and rate. A line keeps its
 * percentage if all members have the same one; relative margins are recomputed.
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
  const totals = new RunningTotals();
  return compiled.lines.flatMap((line) => {
    const found = [...(sums[line.index]?.values() ?? [])];
    totals.startLine(line);
    const results = lineResults(line, { found, memberCount: members.length, totals, options });
    totals.endLine(line, results);
    return results;
  });
}

/** The running sum and line values of all members combined. */
class RunningTotals {
  private readonly values = new Map<CompiledLine, Exact>();
  private readonly sums = new Map<CompiledLine, Exact>();
  running = zero;

  startLine({ line, parent }: CompiledLine): void {
    if (line.kind === "break") this.running = zero;
    if (parent !== undefined) this.running = this.sums.get(parent) ?? zero;
  }

  endLine(line: CompiledLine, results: readonly LineResult[]): void {
    let value: Exact | undefined;
    for (const result of results) {
      if (result.inactive === undefined) value = plus(value ?? zero, result.value ?? zero);
    }
    if (line.isReferenced && value !== undefined) this.values.set(line, value);
    if (line.line.kind === "condition") this.running = plus(this.running, value ?? zero);
    else if (isPlainSubtotal(line)) this.running = value ?? zero;
    if (line.isReferenced) this.sums.set(line, this.running);
  }

  valueOf(lines: readonly CompiledLine[]): Exact {
    return sum(lines.map((line) => this.values.get(line) ?? zero));
  }
}

/** Whether the line shows the running sum. */
function isPlainSubtotal({ line, base, margin, formulas }: CompiledLine): boolean {
  return (
    line.kind === "subtotal" && base === undefined && margin === undefined && formulas.item === undefined
  );
}

/** The input for the results of a line. */
interface LineMembers {
  found: readonly LineSum[];
  memberCount: number;
  totals: RunningTotals;
  options: AggregateOptions;
}

function lineResults(line: CompiledLine, members: LineMembers): LineResult[] {
  if (line.line.kind === "text" || line.line.kind === "break") return [textResult(line)];
  const results = summed(line, members);
  const formula = line.formulas.aggregate;
  const active = results.filter(({ inactive }) => inactive === undefined);
  const [first] = active;
  if (formula === undefined || first === undefined) return results;
  const { totals, options } = members;
  const base = line.base && totals.valueOf(line.base);
  const value = sum(active.map((each) => each.value ?? zero));
  const numbers = { netval: totals.running, base, value };
  return [{ ...aggregateByFormula(line, formula, numbers, options), label: first.label }];
}

/** The combined results of the members; a margin is computed from their sums. */
function summed(line: CompiledLine, { found, memberCount, totals, options }: LineMembers): LineResult[] {
  if (line.margin !== undefined) {
    const known = found.some(({ activeCount }) => activeCount > 0);
    const below = known ? totals.valueOf(line.base ?? []) : undefined;
    // A formula for several items expects the margin as an amount of money in its value.
    const kind = line.formulas.aggregate === undefined ? line.margin : "amount";
    return [marginResult(line, kind, totals.running, below, options.rounding)];
  }
  if (line.line.kind !== "subtotal") return conditionResults(line, found, memberCount, options);
  const [first] = found;
  const isMissing = first !== undefined && first.activeCount === 0 && line.formulas.item !== undefined;
  return [isMissing ? noDataResult(line) : plainResult(line, first?.active ?? zero)];
}

/** Combinable results of one line. */
class LineSum {
  active = zero;
  activeCount = 0;
  replaced = zero;
  replacedCount = 0;
  /** The percentage that all active results so far have in common. */
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

  /** With `memberCount` undefined, only results with a percentage need to agree. */
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

/** Highest rate first, then by category. */
function byRate({ first: a }: LineSum, { first: b }: LineSum): number {
  const rate = (result: LineResult): Exact => new Exact(result.amount?.value ?? 0);
  return rate(b).cmp(rate(a)) || ((a.taxCategory ?? "") < (b.taxCategory ?? "") ? -1 : 1);
}
