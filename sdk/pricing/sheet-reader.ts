/** The lines of sheets that documents print, with what the procedure says of them. */

import { Exact } from "../exact.js";
import type { ConditionType, PricingProcedure, Sheet, SheetLine } from "../project/document.js";
import { type CompiledProcedure, compileProcedure } from "./compiled-procedure.js";
import { isVisible, type JoinedLine, joinLines } from "./sheet-lines.js";

/** A line of one sheet, or the sum of the same line in several sheets. */
export interface PriceLine extends JoinedLine {
  /** Zero where the line states no value. */
  value: Exact;
  /** How its amount counts; undefined for lines that are no conditions. */
  conditionType: ConditionType | undefined;
  /** Part of what leads to the sales price; purchase prices are nothing for customers. */
  sales: boolean;
}

/** Reads the sheets of one procedure, each once. */
export class SheetReader {
  private readonly compiled: CompiledProcedure;
  private readonly read = new WeakMap<Sheet, PriceLine[]>();

  constructor(private readonly procedure: PricingProcedure) {
    this.compiled = compileProcedure(procedure);
  }

  /** The lines of a sheet that count: headings, empty slots and prices that a later one replaced are left out. */
  lines(sheet: Sheet): PriceLine[] {
    const known = this.read.get(sheet);
    if (known !== undefined) return known;
    const lines = joinLines(sheet, this.procedure).filter(statesSomething).map(this.priceLine);
    this.read.set(sheet, lines);
    return lines;
  }

  /**
   * The lines of the sheets of equal articles, each added to its like: every variant price stays a line of its own.
   * Amounts are kept where all agree.
   */
  sum(sheets: readonly Sheet[]): PriceLine[] {
    const [only] = sheets;
    if (only !== undefined && sheets.length === 1) return this.lines(only);
    const sums = new Map<string, PriceLine>();
    for (const sheet of sheets) {
      const occurrences = new Map<string, number>();
      for (const line of this.lines(sheet)) {
        const name = identity(line.line);
        const occurrence = occurrences.get(name) ?? 0;
        occurrences.set(name, occurrence + 1);
        const key = `${name} ${occurrence}`;
        const sum = sums.get(key);
        sums.set(key, sum === undefined ? line : added(sum, line));
      }
    }
    return [...sums.values()].sort(byPlace);
  }

  /** The sum of the lines with a tag in several sheets. */
  value(sheets: readonly Sheet[], tag: string): Exact {
    return sheets.reduce((sum, sheet) => sum.plus(tagged(this.lines(sheet), tag)?.value ?? 0), new Exact(0));
  }

  private readonly priceLine = (joined: JoinedLine): PriceLine => ({
    ...joined,
    value: new Exact(joined.line.value?.value ?? 0),
    conditionType: this.compiled.types.get(
      joined.line.conditionType ?? joined.procedureLine?.conditionType ?? "",
    ),
    sales:
      joined.procedureLine !== undefined && this.compiled.sectionOf(joined.procedureLine.level) === "sales",
  });
}

/** The lines of sheets stay as they are from report to report, and so do the lines that their tags name. */
const taggedLines = new WeakMap<readonly PriceLine[], ReadonlyMap<string, PriceLine>>();

/** The visible line that carries a tag; of several the last. */
export function tagged(lines: readonly PriceLine[], tag: string): PriceLine | undefined {
  const known = taggedLines.get(lines);
  if (known !== undefined) return known.get(tag);
  const found = new Map(lines.filter(isVisible).flatMap((line) => line.tags.map((each) => [each, line])));
  taggedLines.set(lines, found);
  return found.get(tag);
}

function statesSomething({ active, line }: JoinedLine): boolean {
  return active && (line.value !== undefined || line.amount !== undefined);
}

function identity(line: SheetLine): string {
  const rate = line.taxType === undefined ? "" : JSON.stringify(line.amount ?? null);
  return `${line.level}.${line.counter} ${line.conditionType} ${line.taxType} ${line.taxCategory} ${rate}`;
}

function added(sum: PriceLine, line: PriceLine): PriceLine {
  const { amount, value: _, ...rest } = sum.line;
  const currency = sum.line.value?.currency ?? line.line.value?.currency;
  const value = sum.value.plus(line.value);
  const agreed = JSON.stringify(amount) === JSON.stringify(line.line.amount) ? amount : undefined;
  return {
    ...sum,
    value,
    line: {
      ...rest,
      ...(agreed === undefined ? {} : { amount: agreed }),
      ...(currency === undefined ? {} : { value: { value: value.toFixed(), currency } }),
    },
  };
}

function byPlace(left: PriceLine, right: PriceLine): number {
  return left.line.level - right.line.level || left.line.counter - right.line.counter;
}
