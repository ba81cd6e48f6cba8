/**
 * The lines of sheets that documents print, with what the procedure says of them, and stated prices: an absent price
 * differs from a price of zero.
 */
import { Exact, plus, zero } from "../locale/exact.js";
import type { ConditionType, Item, PricingProcedure, Sheet, SheetLine } from "../project/document.js";
import { type CompiledProcedure, compileProcedure } from "./compiled-procedure.js";
import { isVisible, type JoinedLine } from "./sheet-lines.js";

/** A line of one sheet, or the sum of the same line in several sheets. */
export interface PriceLine extends JoinedLine {
  /** Zero if the line has no value. */
  value: Exact;
  /** Undefined for lines that are not conditions. */
  conditionType: ConditionType | undefined;
  /** Whether it is part of the sales price; purchase prices must not reach customers. */
  sales: boolean;
}

/** Reads the sheets of one procedure, each once. */
export class SheetReader {
  private readonly compiled: CompiledProcedure;
  private readonly read = new WeakMap<Sheet, PriceLine[]>();

  constructor(procedure: PricingProcedure) {
    this.compiled = compileProcedure(procedure);
  }

  /** The effective lines of a sheet: without headings, empty slots and replaced prices. */
  lines(sheet: Sheet): PriceLine[] {
    const known = this.read.get(sheet);
    if (known !== undefined) return known;
    const lines = sheet.lines.filter(statesSomething).map(this.priceLine);
    this.read.set(sheet, lines);
    return lines;
  }

  /**
   * Adds up matching lines of the sheets of equal articles: every variant price keeps its own line. Amounts
   * are kept if all are equal.
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
    return sheets.reduce((sum, sheet) => plus(sum, tagged(this.lines(sheet), tag)?.value ?? zero), zero);
  }

  private readonly priceLine = (line: SheetLine): PriceLine => {
    const procedureLine = this.compiled.find(line.level, line.counter)?.line;
    return {
      line,
      procedureLine,
      tags: procedureLine?.tags ?? [],
      active: true,
      value: line.value === undefined ? zero : new Exact(line.value.value),
      conditionType: this.compiled.types.get(line.conditionType ?? procedureLine?.conditionType ?? ""),
      sales: procedureLine !== undefined && this.compiled.sectionOf(procedureLine.level) === "sales",
    };
  };
}

/** The last visible line with a tag. */
export function tagged(lines: readonly PriceLine[], tag: string): PriceLine | undefined {
  return lines.findLast((line) => line.tags.includes(tag) && isVisible(line));
}

function statesSomething({ inactive = [], value, amount }: SheetLine): boolean {
  return inactive.length === 0 && (value !== undefined || amount !== undefined);
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

/** The purchase price by the lines of a sheet; undefined if none is stated. */
export function purchaseValue(lines: readonly PriceLine[]): Exact | undefined {
  const purchase = tagged(lines, "PURCHASE_VALUE");
  if (purchase === undefined) return undefined;
  const isStated = lines.some(
    ({ line, sales, conditionType }) =>
      line.level < purchase.line.level && !sales && conditionType?.conditionClass === "price",
  );
  return isStated || !purchase.value.isZero() ? purchase.value : undefined;
}

/** The net value of an item before header discounts; undefined where nothing states a sales price. A set has its parts' prices. */
export function salesValue(item: Item, lines: readonly PriceLine[]): Exact | undefined {
  const net = tagged(lines, "ITEM_NET_VALUE")?.value;
  if (net === undefined || !net.isZero() || item.type === "setArticle") return net;
  const isStated = lines.some((line) => line.sales && line.conditionType?.conditionClass === "price");
  return isStated ? net : undefined;
}
