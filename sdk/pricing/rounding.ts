/** Rounding to the smallest amount of money of a currency, and its text form. */
import { currencyDigits } from "../currency-digits.js";
import type { ProjectSettings } from "../project/document.js";
import { Exact, zero } from "./exact.js";

/** Where a half goes: to the even neighbour, or away from zero. */
export type HalfWay = "even" | "up";

/** Decimal places of percentages that are computed, such as a relative margin. */
const percentageDigits = 2;

/** Rounds to the smallest amount of money of a currency, and writes amounts as text. */
export class Rounding {
  /** Decimal places of every amount of money in this currency. */
  readonly digits: number;
  /** The smallest amount of money: all values are multiples of it. */
  readonly interval: Exact;
  /** Zero as text; decimals know a negative zero. */
  private readonly nothing: string;
  private readonly mode: 4 | 6;
  private readonly decimal: boolean;

  /**
   * `interval` counts when it is a multiple of the currency's smallest unit, such as "0.05" for CHF; otherwise (zero,
   * or "0.01" for JPY) the smallest unit itself counts.
   */
  constructor(currency: string, interval: string, halfWay: HalfWay) {
    this.digits = currencyDigits(currency);
    this.nothing = zero.toFixed(this.digits);
    const unit = new Exact(10).pow(-this.digits);
    const wanted = new Exact(interval);
    this.interval = wanted.gt(zero) && wanted.mod(unit).isZero() ? wanted : unit;
    this.decimal = this.interval.eq(unit);
    this.mode = halfWay === "even" ? Exact.ROUND_HALF_EVEN : Exact.ROUND_HALF_UP;
  }

  /** The rounding of a project: its currency and its smallest amount. */
  static of(settings: ProjectSettings, halfWay: HalfWay): Rounding {
    return new Rounding(settings.currency, settings.rounding.interval, halfWay);
  }

  /** The nearest multiple of the interval. */
  round(value: Exact): Exact {
    if (this.decimal) {
      return value.decimalPlaces() <= this.digits ? value : value.toDecimalPlaces(this.digits, this.mode);
    }
    return value.toNearest(this.interval, this.mode);
  }

  /** The next multiple of the interval that is not above the value. */
  floor(value: Exact): Exact {
    if (this.decimal) return value.toDecimalPlaces(this.digits, Exact.ROUND_FLOOR);
    return value.toNearest(this.interval, Exact.ROUND_FLOOR);
  }

  /** The nearest multiple of `step`, a positive number. */
  toMultiple(value: Exact, step: Exact): Exact {
    return value.toNearest(step, this.mode);
  }

  /** A computed percentage with two decimal places. */
  percentage(value: Exact): Exact {
    return value.toDecimalPlaces(percentageDigits, this.mode);
  }

  /** A multiple of the interval as text, with the digits of the currency. */
  text(value: Exact): string {
    return value.isZero() ? this.nothing : value.toFixed(this.digits);
  }

  /** An amount that somebody stated as text: with the digits of the currency, more only if it has more. */
  statedText(value: Exact): string {
    return value.toFixed(Math.max(this.digits, value.decimalPlaces()));
  }
}
