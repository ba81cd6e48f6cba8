/** Rounding to the smallest amount of money of a currency, and its text form. */
import { currencyDigits } from "../currency-digits.js";
import { Exact, zero } from "../exact.js";
import type { ConditionType, ProjectSettings } from "../project/document.js";

/** Where a half goes: to the even neighbour, or away from zero. */
export type HalfWay = "even" | "up";

/** Decimal places of percentages that are computed, such as a relative margin. */
const percentageDigits = 2;

/** How the condition type or subtotal type of a line rounds. */
export type RoundingRule = NonNullable<ConditionType["roundingRule"]>;

/** As many decimal places as an amount of a project can have; what is not rounded has no more. */
const mostPlaces = 18;

/** Rounds to the smallest amount of money of a currency, and writes amounts as text. */
export class Rounding {
  /** Decimal places of every amount of money in this currency. */
  readonly digits: number;
  /** The smallest amount of money: all values are multiples of it. */
  readonly interval: Exact;
  /** Zero as text; decimals know a negative zero. */
  private readonly nothing: string;
  private readonly halfMode: 4 | 6;
  private readonly mode: 0 | 1 | 4 | 6;
  /** Decimal places of the interval, where it is a power of ten. */
  private readonly places: number | undefined;
  private readonly others = new Map<RoundingRule, Rounding>();

  /**
   * `interval` counts when it is a multiple of the currency's smallest unit, such as "0.05" for CHF; otherwise (zero,
   * or "0.01" for JPY) the smallest unit itself counts. `rule` is "nearest" unless a procedure says otherwise; the files
   * that it comes from name the modes of Java: "up" is away from zero, "down" towards zero, whatever the sign.
   */
  constructor(
    private readonly currency: string,
    interval: string,
    private readonly halfWay: HalfWay,
    private readonly rule: RoundingRule = "nearest",
  ) {
    this.digits = currencyDigits(currency);
    this.nothing = zero.toFixed(this.digits);
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

  /** The same amounts, rounded as a condition type or subtotal type says; "nearest" where it says nothing. */
  by(rule: RoundingRule = "nearest"): Rounding {
    if (rule === this.rule) return this;
    const known = this.others.get(rule);
    if (known !== undefined) return known;
    const made = new Rounding(this.currency, this.interval.toFixed(), this.halfWay, rule);
    this.others.set(rule, made);
    return made;
  }

  /** A multiple of the interval: the nearest one, unless the rule says otherwise. */
  round(value: Exact): Exact {
    if (this.places === undefined) return value.toNearest(this.interval, this.mode);
    return value.decimalPlaces() <= this.places ? value : value.toDecimalPlaces(this.places, this.mode);
  }

  /** The next multiple of the interval that is not above the value. */
  floor(value: Exact): Exact {
    if (this.places === undefined) return value.toNearest(this.interval, Exact.ROUND_FLOOR);
    return value.toDecimalPlaces(this.places, Exact.ROUND_FLOOR);
  }

  /** A multiple of `step`, a positive number: the nearest one, unless the rule says otherwise. */
  toMultiple(value: Exact, step: Exact): Exact {
    return value.toNearest(step, this.mode);
  }

  /** A computed percentage with two decimal places. */
  percentage(value: Exact): Exact {
    return value.toDecimalPlaces(percentageDigits, this.halfMode);
  }

  /** A multiple of the interval as text, with the digits of the currency; of anything else the nearest one. */
  text(value: Exact): string {
    const rounded = value.toDecimalPlaces(this.digits, this.halfMode);
    return rounded.isZero() ? this.nothing : rounded.toFixed(this.digits);
  }

  /** An amount that somebody stated as text: with the digits of the currency, more only if it has more. */
  statedText(value: Exact): string {
    return value.isZero() ? this.nothing : value.toFixed(Math.max(this.digits, value.decimalPlaces()));
  }
}
