/** State of the line-by-line computation of one item's sheet, and its results before they are written to the sheet. */
import { type Exact, plus, zero } from "../locale/exact.js";
import type { Amount, Quantity, Texts } from "../project/document.js";
import type { CompiledLine } from "./compiled-procedure.js";
import type { Position } from "./positions.js";
import type { Rounding } from "./rounding.js";
import { lineLabel, type StatedAmount } from "./stated-amount.js";

/** The sheet of one item, as far as it is computed. */
export class ItemState {
  results: LineResult[] = [];
  /** Sum of the conditions since the last break, or since a parent line. */
  private running: Exact = zero;
  /** Percentage taxes since the last subtotal: taxes are not taxed themselves. */
  private percentTaxes: Exact = zero;
  /** Whether the running sum includes a price with data. */
  private priced = false;
  /** Index of the first result that a price replaces. */
  private replaceable = 0;
  /** Of lines that others refer to, by index: their values, the running sums after them, and whether these include a price. */
  private values: (Exact | undefined)[] = [];
  private sums: (Exact | undefined)[] = [];
  private pricedAt: (boolean | undefined)[] = [];

  constructor(
    readonly position: Position,
    private readonly rounding: Rounding,
  ) {}

  /** Releases the results. */
  forget(): void {
    this.results = [];
    this.values = [];
    this.sums = [];
    this.pricedAt = [];
  }

  /** Continues from the running sum after an earlier line. */
  restartFrom(parent: CompiledLine): void {
    this.restart(this.sums[parent.index] ?? zero, this.pricedAt[parent.index] ?? false);
  }

  /** Keeps the running sum after a line that others refer to. */
  keep(line: CompiledLine): void {
    this.sums[line.index] = this.running;
    this.pricedAt[line.index] = this.priced;
  }

  text(line: CompiledLine): void {
    if (line.line.kind === "break") this.restart(zero, false);
    this.results.push(textResult(line));
  }

  subtotal(line: CompiledLine): void {
    const value = this.subtotalOf(line);
    // Subsequent lines continue from the displayed amount.
    if (line.base === undefined) this.running = value;
    this.computed(plainResult(line, value));
  }

  /** The value of a subtotal as a plain sum. */
  subtotalOf({ base, roundingRule }: CompiledLine): Exact {
    const sum = base === undefined ? this.running : this.valueOf(base);
    return this.rounding.by(roundingRule).round(sum);
  }

  /** Adds a subtotal with a known value; the running sum is unchanged. */
  computed(result: LineResult): void {
    const { line, value } = result;
    if (line.isReferenced && value !== undefined) this.values[line.index] = value;
    this.percentTaxes = zero;
    this.results.push(result);
  }

  get netValue(): Exact {
    return this.running;
  }

  /** The difference between the running sum and the value of other lines. */
  margin(line: CompiledLine, kind: "amount" | "relative"): void {
    this.results.push(marginResult(line, kind, this.running, this.costOf(line), this.rounding));
  }

  /** The cost that a margin is compared to, if any. */
  costOf({ base = [] }: CompiledLine): Exact | undefined {
    return base.some(({ index }) => this.pricedAt[index]) ? this.valueOf(base) : undefined;
  }

  /** Adds the value of a condition to the running sum; a price replaces everything before it. */
  apply(line: CompiledLine, counter: number, stated: StatedAmount, value: Exact): void {
    if (line.type?.conditionClass === "price") this.replace();
    this.running = plus(this.running, value);
    if (line.isReferenced) this.values[line.index] = plus(this.values[line.index] ?? zero, value);
    if (line.type?.conditionClass === "tax" && stated.amount?.kind === "percentage") {
      this.percentTaxes = plus(this.percentTaxes, value);
    }
    this.results.push(conditionResult(line, counter, stated, value));
  }

  /** A line with insert mode "always" shows that it has no data; others are left out. */
  absent(line: CompiledLine): void {
    if (line.line.insertMode === "always") this.results.push(emptySlot(line));
  }

  /** The condition has an amount that does not apply to this item. */
  excluded(line: CompiledLine, counter: number): void {
    this.results.push(noDataResult(line, counter));
  }

  /** The base of a percentage. */
  baseOf(line: CompiledLine): Exact {
    if (line.base !== undefined) return this.valueOf(line.base);
    return line.type?.conditionClass === "tax" ? this.running.minus(this.percentTaxes) : this.running;
  }

  valueOf(lines: readonly CompiledLine[]): Exact {
    let total = zero;
    for (const { index } of lines) total = plus(total, this.values[index] ?? zero);
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
      this.values[result.line.index] = undefined;
    }
    this.running = zero;
    this.percentTaxes = zero;
    this.priced = true;
  }
}

/**
 * The margin of `above` over `below`; no data if one of them is unknown, or if a relative margin would divide
 * by zero.
 */
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

export interface LineResult {
  readonly line: CompiledLine;
  readonly counter: number;
  readonly label: Texts;
  readonly amount: Amount | undefined;
  readonly per: Quantity | undefined;
  readonly value: Exact | undefined;
  readonly taxType: string | undefined;
  readonly taxCategory: string | undefined;
  readonly manual: boolean;
  /** "SubsequentPrice" is only known once a later price has been found. */
  inactive: "NoData" | "SubsequentPrice" | undefined;
  /** Whether it is the same object for all items. */
  readonly shared: boolean;
}

const texts = new WeakMap<CompiledLine, LineResult>();
const emptySlots = new WeakMap<CompiledLine, LineResult>();

/** The result of a text or a break, shared by all items. */
export function textResult(line: CompiledLine): LineResult {
  return shared(texts, line, plainResult);
}

/** The empty slot of an always-present line, shared by all items. */
function emptySlot(line: CompiledLine): LineResult {
  return shared(emptySlots, line, noDataResult);
}

function shared(
  known: WeakMap<CompiledLine, LineResult>,
  line: CompiledLine,
  make: (line: CompiledLine) => LineResult,
): LineResult {
  const before = known.get(line);
  if (before !== undefined) return before;
  const made = { ...make(line), shared: true };
  known.set(line, made);
  return made;
}

/** A line with a label and an optional value, such as a text or a subtotal. */
export function plainResult(line: CompiledLine, value?: Exact): LineResult {
  return {
    line,
    counter: line.line.counter,
    label: lineLabel(line),
    amount: undefined,
    per: undefined,
    value,
    taxType: undefined,
    taxCategory: undefined,
    manual: false,
    inactive: undefined,
    shared: false,
  };
}

export function noDataResult(line: CompiledLine, counter: number = line.line.counter): LineResult {
  return { ...plainResult(line), counter, inactive: "NoData" };
}

/** The result of a condition that applies. */
function conditionResult(
  line: CompiledLine,
  counter: number,
  stated: StatedAmount,
  value: Exact,
): LineResult {
  return {
    line,
    counter,
    label: stated.label,
    amount: stated.amount,
    per: stated.per,
    value,
    taxType: stated.taxType,
    taxCategory: stated.taxCategory,
    manual: stated.manual,
    inactive: undefined,
    shared: false,
  };
}
