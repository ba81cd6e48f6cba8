/**
 * Rounding to the smallest amount of money of a currency, and its text form; splitting an amount so that the parts
 * add up to the cent.
 */
import { currencyDigits, Exact, sum, zero } from "../locale/exact.js";
import type { ConditionType, ProjectSettings } from "../project/document.js";

/** How halves are rounded: to the even neighbour, or away from zero. */
export type HalfWay = "even" | "up";

/** Decimal places of computed percentages, such as a relative margin. */
const percentageDigits = 2;

/** The rounding mode of a condition type or subtotal type. */
export type RoundingRule = NonNullable<ConditionType["roundingRule"]>;

/** The maximum number of decimal places of a project's amounts, and of unrounded values. */
const mostPlaces = 18;

/** Rounds to the smallest amount of money of a currency, and formats amounts. */
export class Rounding {
  /** Decimal places of all amounts in this currency. */
  readonly digits: number;
  /** The smallest amount of money: all values are multiples of it. */
  readonly interval: Exact;
  /** Zero as text, because decimals have a negative zero. */
  private readonly nothing: string;
  private readonly negativeNothing: string;
  private readonly halfMode: 4 | 6;
  private readonly mode: 0 | 1 | 4 | 6;
  /** Decimal places of the interval, if it is a power of ten. */
  private readonly places: number | undefined;
  private readonly others = new Map<RoundingRule, Rounding>();

  /**
   * `interval` is used if it is a multiple of the currency's smallest unit, such as "0.05" for CHF; otherwise
   * (zero, or "0.01" for JPY), the smallest unit is used. The default of `rule` is "nearest". The modes are
   * those of Java, as in project files: "up" is away from zero, "down" towards zero, for both signs.
   */
  constructor(
    private readonly currency: string,
    interval: string,
    private readonly halfWay: HalfWay,
    private readonly rule: RoundingRule = "nearest",
  ) {
    this.digits = currencyDigits(currency);
    this.nothing = zero.toFixed(this.digits);
    this.negativeNothing = `-${this.nothing}`;
    const unit = new Exact(10).pow(-(rule === "none" ? mostPlaces : this.digits));
    const wanted = new Exact(interval);
    const counts = rule !== "none" && wanted.gt(zero) && wanted.mod(unit).isZero();
    this.interval = counts ? wanted : unit;
    this.places = this.interval.eq(unit) ? unit.decimalPlaces() : undefined;
    this.halfMode = halfWay === "even" ? Exact.ROUND_HALF_EVEN : Exact.ROUND_HALF_UP;
    this.mode = rule === "up" ? Exact.ROUND_UP : rule === "down" ? Exact.ROUND_DOWN : this.halfMode;
  }

  /** The rounding of a project: its currency and its smallest amount. */
  static of(settings: ProjectSettings, halfWay: HalfWay): Rounding {
    return new Rounding(settings.currency, settings.rounding.interval, halfWay);
  }

  /**
   * The rounding of unit prices and of sums of values that are already rounded: to the smallest unit of the currency,
   * without the interval of the project.
   */
  static toUnit(currency: string, { halfWay }: { halfWay: HalfWay }): Rounding {
    return new Rounding(currency, "0", halfWay);
  }

  /** The same currency with the rounding mode of a condition type or subtotal type. */
  by(rule: RoundingRule = "nearest"): Rounding {
    if (rule === this.rule) return this;
    const known = this.others.get(rule);
    if (known !== undefined) return known;
    const made = new Rounding(this.currency, this.interval.toFixed(), this.halfWay, rule);
    this.others.set(rule, made);
    return made;
  }

  /** Rounds to a multiple of the interval: the nearest one, unless the mode says otherwise. */
  round(value: Exact): Exact {
    if (this.places === undefined) return value.toNearest(this.interval, this.mode);
    return value.toDecimalPlaces(this.places, this.mode);
  }

  /** The next multiple of the interval at or below the value. */
  floor(value: Exact): Exact {
    if (this.places === undefined) return value.toNearest(this.interval, Exact.ROUND_FLOOR);
    return value.toDecimalPlaces(this.places, Exact.ROUND_FLOOR);
  }

  /** Rounds to a multiple of `step`, a positive number: the nearest one, unless the mode says otherwise. */
  toMultiple(value: Exact, step: Exact): Exact {
    return value.toNearest(step, this.mode);
  }

  /** Rounds a computed percentage to two decimal places. */
  percentage(value: Exact): Exact {
    return value.toDecimalPlaces(percentageDigits, this.halfMode);
  }

  /** Formats a multiple of the interval with the currency's decimal places; other values are rounded. */
  text(value: Exact): string {
    if (value.isZero()) return this.nothing;
    const text = value.toFixed(this.digits, this.halfMode);
    // What is rounded to zero keeps its sign.
    return text === this.negativeNothing ? this.nothing : text;
  }

  /** Formats a stated amount with the currency's decimal places, or more if it has more. */
  statedText(value: Exact): string {
    return value.isZero() ? this.nothing : value.toFixed(Math.max(this.digits, value.decimalPlaces()));
  }
}

/** What amounts may be multiples of: money, or anything else that is counted in steps. */
export type Steps = Pick<Rounding, "floor" | "interval">;

/** One part of an amount that is split. */
export interface Share {
  /** Decides between equal remainders, so that the order of the list does not matter. */
  id: string;
  /** What the part would be if there were no smallest amount. */
  exact: Exact;
}

/**
 * Rounds the shares to multiples of the smallest amount so that they add up to `total` (itself a multiple, and the
 * exact shares add up to it but for its own rounding): everybody gets the share rounded down, then the largest
 * remainders get one smallest amount more, ties by id. A share of exactly zero stays zero.
 */
export function distribute(total: Exact, shares: readonly Share[], rounding: Steps): Exact[] {
  const parts = shares.map(({ exact }) => rounding.floor(exact));
  const missing = total.minus(sum(parts)).div(rounding.interval).round().toNumber();
  if (missing <= 0) return parts;
  const remainders = shares.map(({ id, exact }, index) => ({
    index,
    id,
    remainder: exact.minus(parts[index] ?? zero),
  }));
  remainders.sort((a, b) => b.remainder.cmp(a.remainder) || (a.id < b.id ? -1 : 1));
  for (const { index } of remainders.slice(0, missing)) {
    parts[index] = (parts[index] ?? zero).plus(rounding.interval);
  }
  return parts;
}

/** The exact parts of `total` in proportion to the weights; equal parts when all weights are zero. */
export function proportional(total: Exact, weights: readonly Exact[]): Exact[] {
  const all = sum(weights);
  if (all.isZero()) return weights.map(() => total.div(weights.length));
  return weights.map((weight) => total.times(weight).div(all));
}
