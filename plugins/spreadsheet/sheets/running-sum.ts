/** Finds the lines that a price line is computed from. */
import { Exact, type PriceLine } from "@slipway/sdk";

/** A visible line with its index among the visible lines. */
export interface ShownLine {
  line: PriceLine;
  place: number;
}

/** Inputs of one price line. */
export interface Origin {
  /** Base of a percentage; undefined if it cannot be derived from the visible lines. */
  base: Exact | undefined;
  /** The visible lines that it is the sum of; undefined if it is not a sum. */
  terms: readonly ShownLine[] | undefined;
}

/** Longer formulas are hard to read, and a cell is limited to 8,192 characters. */
const mostTerms = 30;

/**
 * Follows the running sum of a procedure through the lines of a sheet: conditions add to it, plain subtotals state it.
 * Sums that include a hidden line are not revealed.
 */
export class RunningSum {
  private readonly earlier: ShownLine[] = [];
  /** Terms of the sum from the last subtotal on, inclusive; undefined if a hidden line is among them. */
  private terms: ShownLine[] | undefined = [];
  private wasSales = false;

  /** Call for each line in order. `place`: undefined for a hidden line. */
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

/** Whether a line states a sum without adding to it. */
export function isSubtotal({ procedureLine }: PriceLine): boolean {
  return procedureLine?.kind === "subtotal";
}

/** Whether the percentage of the base is the line's value, within the rounding to cents. */
export function explains({ line, value }: PriceLine, base: Exact): boolean {
  if (line.amount?.kind !== "percentage") return false;
  return base.times(line.amount.value).div(100).minus(value).abs().lt("0.01");
}

function sumOf(lines: readonly ShownLine[]): Exact {
  return lines.reduce((sum, { line }) => sum.plus(line.value), new Exact(0));
}
