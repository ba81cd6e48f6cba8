/** What the lines of a price sheet are computed from, as far as other lines show it. */
import { Exact, type PriceLine } from "@slipway/sdk";

/** A line that is shown, by its place among those. */
export interface ShownLine {
  line: PriceLine;
  place: number;
}

/** What one line follows from. */
export interface Origin {
  /** What a percentage is of; undefined where shown lines do not tell it. */
  base: Exact | undefined;
  /** The shown lines whose sum it is; undefined where it is none. */
  terms: readonly ShownLine[] | undefined;
}

/** Longer formulas are hard to read, and a cell has room for 8,192 characters. */
const mostTerms = 30;

/**
 * Follows the running sum of a procedure through the lines of a sheet: conditions add to it, plain subtotals state it.
 * What a hidden line has part in stays unsaid.
 */
export class RunningSum {
  private readonly earlier: ShownLine[] = [];
  /** What the sum consists of since the last subtotal, that included; undefined where a hidden line is in it. */
  private terms: ShownLine[] | undefined = [];
  private wasSales = false;

  /** To be called for each line in order. `place` is undefined for one that is not shown. */
  next(line: PriceLine, place: number | undefined): Origin {
    if (line.sales !== this.wasSales) this.terms = [];
    this.wasSales = line.sales;
    const shown = place === undefined ? undefined : { line, place };
    const origin = isSubtotal(line) ? this.subtotal(line, shown) : this.condition(line, shown);
    if (shown !== undefined) this.earlier.push(shown);
    return origin;
  }

  private condition(line: PriceLine, shown: ShownLine | undefined): Origin {
    const { from } = line.procedureLine ?? {};
    const of = from === undefined ? this.terms : this.between(from, from);
    const base = of === undefined || of.length === 0 ? undefined : sumOf(of);
    if (shown !== undefined) this.terms?.push(shown);
    else if (!line.value.isZero()) this.terms = undefined;
    return { base: base !== undefined && explains(line, base) ? base : undefined, terms: undefined };
  }

  private subtotal(line: PriceLine, shown: ShownLine | undefined): Origin {
    const { from, to, parent } = line.procedureLine ?? {};
    const isRunning = from === undefined && parent === undefined;
    const terms = from === undefined ? this.terms?.slice() : this.between(from, to ?? from);
    if (isRunning) this.terms = shown && [shown];
    const isSum =
      terms !== undefined && terms.length > 0 && terms.length <= mostTerms && sumOf(terms).eq(line.value);
    return { base: undefined, terms: isSum ? terms : undefined };
  }

  private between(first: number, last: number): ShownLine[] {
    return this.earlier.filter(({ line: { line } }) => line.level >= first && line.level <= last);
  }
}

/** Whether a line states a sum, and adds nothing to it. */
export function isSubtotal({ procedureLine }: PriceLine): boolean {
  return procedureLine?.kind === "subtotal";
}

/** Whether the percentage of a line and a base give its value, as far as rounding to cents allows. */
export function explains({ line, value }: PriceLine, base: Exact): boolean {
  if (line.amount?.kind !== "percentage") return false;
  return base.times(line.amount.value).div(100).minus(value).abs().lt("0.01");
}

function sumOf(lines: readonly ShownLine[]): Exact {
  return lines.reduce((sum, { line }) => sum.plus(line.value), new Exact(0));
}
