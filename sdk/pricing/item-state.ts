/** The sheet of one item while it is being computed, line by line. */

import { type Exact, plus, zero } from "../exact.js";
import type { CompiledLine } from "./compiled-procedure.js";
import {
  conditionResult,
  emptySlot,
  type LineResult,
  noDataResult,
  plainResult,
  textResult,
} from "./line-result.js";
import type { Position } from "./positions.js";
import type { Rounding } from "./rounding.js";
import type { StatedAmount } from "./stated-amount.js";

export class ItemState {
  results: LineResult[] = [];
  /** Sum of the conditions since the last break, or from a parent line on. */
  private running: Exact = zero;
  /** Percent taxes since the last subtotal: taxes do not tax each other. */
  private percentTaxes: Exact = zero;
  /** A price with data is part of the running sum. */
  private priced = false;
  /** First result that a price replaces. */
  private replaceable = 0;
  /** Of lines that others refer to. */
  private readonly values = new Map<CompiledLine, Exact>();
  private readonly sums = new Map<CompiledLine, { running: Exact; priced: boolean }>();

  constructor(
    readonly position: Position,
    private readonly rounding: Rounding,
  ) {}

  /** Gives up what was computed. */
  forget(): void {
    this.results = [];
    this.values.clear();
    this.sums.clear();
  }

  /** The running sum goes on from the one after an earlier line. */
  restartFrom(parent: CompiledLine): void {
    const { running, priced } = this.sums.get(parent) ?? { running: zero, priced: false };
    this.restart(running, priced);
  }

  /** Keeps the running sum after a line that others refer to. */
  keep(line: CompiledLine): void {
    this.sums.set(line, { running: this.running, priced: this.priced });
  }

  text(line: CompiledLine): void {
    if (line.line.kind === "break") this.restart(zero, false);
    this.results.push(textResult(line));
  }

  subtotal(line: CompiledLine): void {
    const value = this.subtotalOf(line);
    // What follows goes on from the amount that is stated.
    if (line.base === undefined) this.running = value;
    this.computed(plainResult(line, value));
  }

  /** What a subtotal comes to as a plain sum. */
  subtotalOf({ base, roundingRule }: CompiledLine): Exact {
    const sum = base === undefined ? this.running : this.valueOf(base);
    return this.rounding.by(roundingRule).round(sum);
  }

  /** A subtotal whose value is known; the running sum stays. */
  computed(result: LineResult): void {
    const { line, value } = result;
    if (line.isReferenced && value !== undefined) this.values.set(line, value);
    this.percentTaxes = zero;
    this.results.push(result);
  }

  /** The sum of the conditions so far. */
  get netValue(): Exact {
    return this.running;
  }

  /** What the running sum is above the value of other lines. */
  margin(line: CompiledLine, kind: "amount" | "relative"): void {
    this.results.push(marginResult(line, kind, this.running, this.costOf(line), this.rounding));
  }

  /** What a margin is above; undefined where nothing states it. */
  costOf({ base = [] }: CompiledLine): Exact | undefined {
    return base.some((each) => this.sums.get(each)?.priced) ? this.valueOf(base) : undefined;
  }

  /** What a condition that applies adds to the running sum; a price replaces what was before it. */
  apply(line: CompiledLine, counter: number, stated: StatedAmount, value: Exact): void {
    if (line.type?.conditionClass === "price") this.replace();
    this.running = plus(this.running, value);
    if (line.isReferenced) this.values.set(line, plus(this.values.get(line) ?? zero, value));
    if (line.type?.conditionClass === "tax" && stated.amount?.kind === "percentage") {
      this.percentTaxes = plus(this.percentTaxes, value);
    }
    this.results.push(conditionResult(line, counter, stated, value));
  }

  /** A line that is always there shows that it has no data; others are left out. */
  absent(line: CompiledLine): void {
    if (line.line.insertMode === "always") this.results.push(emptySlot(line));
  }

  /** There is an amount, but it does not apply to this item. */
  excluded(line: CompiledLine, counter: number): void {
    this.results.push(noDataResult(line, counter));
  }

  /** What a percentage is of. */
  baseOf(line: CompiledLine): Exact {
    if (line.base !== undefined) return this.valueOf(line.base);
    return line.type?.conditionClass === "tax" ? this.running.minus(this.percentTaxes) : this.running;
  }

  valueOf(lines: readonly CompiledLine[]): Exact {
    let total = zero;
    for (const line of lines) total = plus(total, this.values.get(line) ?? zero);
    return total;
  }

  private restart(from: Exact, priced: boolean): void {
    this.running = from;
    this.percentTaxes = zero;
    this.priced = priced;
    this.replaceable = this.results.length;
  }

  private replace(): void {
    for (const result of this.results.slice(this.replaceable)) {
      if (result.line.line.kind !== "condition" || result.inactive !== undefined) continue;
      result.inactive = "SubsequentPrice";
      this.values.delete(result.line);
    }
    this.running = zero;
    this.percentTaxes = zero;
    this.priced = true;
  }
}

/** The margin of `above` over `below`; no data when one of them is not known, or relative to nothing. */
export function marginResult(
  line: CompiledLine,
  kind: "amount" | "relative",
  above: Exact | undefined,
  below: Exact | undefined,
  rounding: Rounding,
): LineResult {
  if (above === undefined || below === undefined) return noDataResult(line);
  const margin = above.minus(below);
  if (kind === "amount") return plainResult(line, margin);
  if (above.isZero()) return noDataResult(line);
  const relative = rounding.percentage(margin.times(100).div(above));
  return { ...plainResult(line), amount: { kind: "percentage", value: relative.toFixed() } };
}
