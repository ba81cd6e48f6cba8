/** Exact decimal numbers for money, without binary floating point, and the decimal places of currencies. */
import { Decimal } from "decimal.js";
import { ownMember } from "../schema/own-member.js";

/**
 * Decimals with enough digits for an exact product of any two amounts of a project (40 characters each), always written
 * without an exponent. Independent of the settings of other users of the library.
 */
export const Exact = Decimal.clone({
  precision: 80,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -200,
  toExpPos: 200,
});
/** An immutable decimal number with 80 digits; methods such as `plus` return a new one. */
export type Exact = Decimal;

export const zero: Exact = new Exact(0);
export const one: Exact = new Exact(1);

const hundredth: Exact = new Exact("0.01");

/** a + b, without a new object if one is zero. */
export function plus(a: Exact, b: Exact): Exact {
  if (b.isZero()) return a;
  return a.isZero() ? b : a.plus(b);
}

/** The sum of all values; zero without values. */
export function sum(values: Iterable<Exact>): Exact {
  let total = zero;
  for (const value of values) total = plus(total, value);
  return total;
}

/** Exact percentage; 20 means 20 %. */
export function percentOf(base: Exact, percentage: Exact): Exact {
  return base.isZero() ? zero : base.times(percentage).times(hundredth);
}

/** ISO 4217: currencies whose number of decimal places is not two. */
const minorUnits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3])),
  ...Object.fromEntries("CLF UYW".split(" ").map((code) => [code, 4])),
};

/** Decimal places of an ISO 4217 currency: 2 for EUR, 0 for JPY, 3 for KWD; 2 for an unknown code. */
export function currencyDigits(currency: string): number {
  return ownMember(minorUnits, currency) ?? 2;
}
