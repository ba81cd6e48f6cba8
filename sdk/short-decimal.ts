/**
 * Decimals of up to fifteen digits as whole numbers with decimal places. Nearly all amounts are such, and these need no
 * arrays of digits, which took most of the time of prices and much of their memory. What does not fit is left to the
 * library: results are the same to the last digit.
 */
import { Decimal } from "decimal.js";

/**
 * Decimals with enough digits for an exact product of any two amounts of a project (40 characters each), always written
 * without an exponent. Independent of the settings of other users of the library.
 */
const LongDecimal = Decimal.clone({
  precision: 80,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -200,
  toExpPos: 200,
});

const mostPlaces = 15;
const powers = Array.from({ length: mostPlaces + 1 }, (_, places) => 10 ** places);

/** `units` at `places` decimal places; never a negative zero, which only the library has. */
class ShortDecimal {
  private long: Decimal | undefined;

  constructor(
    readonly units: number,
    readonly places: number,
  ) {
    this.long = undefined;
  }

  /** The same number for methods of the library. */
  get digits(): Decimal {
    this.long ??= new LongDecimal(this.toFixed());
    return this.long;
  }

  // What methods of the library read of their operands.
  get s(): number {
    return this.units < 0 ? -1 : 1;
  }

  get e(): number {
    return this.digits.e;
  }

  get d(): number[] {
    return this.digits.d;
  }

  isZero(): boolean {
    return this.units === 0;
  }

  isNegative(): boolean {
    return this.units < 0;
  }

  plus(value: Decimal.Value): Decimal {
    const other = shortDecimal(value);
    return (other && added(this, other.units, other.places)) ?? this.digits.plus(value);
  }

  minus(value: Decimal.Value): Decimal {
    const other = shortDecimal(value);
    return (other && added(this, -other.units, other.places)) ?? this.digits.minus(value);
  }

  times(value: Decimal.Value): Decimal {
    const other = shortDecimal(value);
    return (
      (other && exactUnits(this.units * other.units, this.places + other.places)) ?? this.digits.times(value)
    );
  }

  dividedBy(value: Decimal.Value): Decimal {
    const other = shortDecimal(value);
    const isWhole = other !== undefined && other.places <= this.places && this.units % other.units === 0;
    const quotient = isWhole ? exactUnits(this.units / other.units, this.places - other.places) : undefined;
    return quotient ?? this.digits.dividedBy(value);
  }

  comparedTo(value: Decimal.Value): number {
    const other = shortDecimal(value);
    if (other !== undefined) {
      const left = this.units * power(other.places - this.places);
      const right = other.units * power(this.places - other.places);
      if (Number.isSafeInteger(left) && Number.isSafeInteger(right))
        return left === right ? 0 : left < right ? -1 : 1;
    }
    return this.digits.comparedTo(value);
  }

  absoluteValue(): Decimal {
    return this.units < 0 ? decimalOf(-this.units, this.places) : asDecimal(this);
  }

  negated(): Decimal {
    return this.units === 0 ? this.digits.negated() : decimalOf(-this.units, this.places);
  }

  decimalPlaces(): number {
    let { units, places } = this;
    for (; places > 0 && units % 10 === 0; places--) units /= 10;
    return places;
  }

  toDecimalPlaces(places?: number, rounding: Decimal.Rounding = LongDecimal.rounding): Decimal {
    if (places === undefined || places >= this.places) return asDecimal(this);
    const factor = places < 0 ? undefined : powers[this.places - places];
    const rounded = factor === undefined ? undefined : roundedUnits(this.units, factor, rounding);
    // A negative number that becomes zero stays negative.
    if (rounded === undefined || (rounded === 0 && this.units < 0))
      return this.digits.toDecimalPlaces(places, rounding);
    return decimalOf(rounded, places);
  }

  toFixed(places?: number, rounding: Decimal.Rounding = LongDecimal.rounding): string {
    if (places === undefined) {
      const needed = this.decimalPlaces();
      return textOf(this.units / power(this.places - needed), needed);
    }
    if (places === this.places) return textOf(this.units, places);
    if (places < this.places || places > mostPlaces) return this.digits.toFixed(places, rounding);
    const units = this.units * power(places - this.places);
    return Number.isSafeInteger(units) ? textOf(units, places) : this.digits.toFixed(places, rounding);
  }
}

// All other methods are those of the library, and results of a number are numbers of the library.
const inherited: Decimal = LongDecimal.prototype;
const { prototype } = ShortDecimal;
Object.setPrototypeOf(prototype, inherited);
const otherNames = {
  constructor: LongDecimal,
  isNeg: prototype.isNegative,
  add: prototype.plus,
  sub: prototype.minus,
  mul: prototype.times,
  div: prototype.dividedBy,
  cmp: prototype.comparedTo,
  abs: prototype.absoluteValue,
  neg: prototype.negated,
  dp: prototype.decimalPlaces,
  toDP: prototype.toDecimalPlaces,
};
for (const [name, value] of Object.entries(otherNames))
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true });

/** The prototype has all members of the library's. */
function asDecimal(short: ShortDecimal): Decimal {
  return short as unknown as Decimal;
}

function decimalOf(units: number, places: number): Decimal {
  return asDecimal(new ShortDecimal(units, places));
}

function power(exponent: number): number {
  return exponent <= 0 ? 1 : (powers[exponent] ?? Number.NaN);
}

function added(one: ShortDecimal, units: number, places: number): Decimal | undefined {
  const left = one.units * power(places - one.places);
  const right = units * power(one.places - places);
  const total = left + right;
  const isExact = Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(total);
  return isExact ? decimalOf(total, Math.max(one.places, places)) : undefined;
}

/** Undefined if it has too many digits, or is a negative zero. */
function exactUnits(units: number, places: number): Decimal | undefined {
  const fits = Number.isSafeInteger(units) && places <= mostPlaces && !Object.is(units, -0);
  return fits ? decimalOf(units, places) : undefined;
}

function roundedUnits(units: number, factor: number, rounding: Decimal.Rounding): number | undefined {
  const rest = units % factor;
  const down = (units - rest) / factor;
  if (rest === 0) return down;
  const up = down + (units < 0 ? -1 : 1);
  const half = 2 * Math.abs(rest) - factor;
  switch (rounding) {
    case 0:
      return up;
    case 1:
      return down;
    case 3:
      return units < 0 ? up : down;
    case 4:
      return half >= 0 ? up : down;
    case 6:
      return half > 0 || (half === 0 && down % 2 !== 0) ? up : down;
    default:
      return undefined;
  }
}

function textOf(units: number, places: number): string {
  if (places === 0) return String(units);
  const digits = String(Math.abs(units)).padStart(places + 1, "0");
  const point = digits.length - places;
  return `${units < 0 ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The number if it is short; undefined for all others, and for what is not a number. */
function shortDecimal(value: Decimal.Value): ShortDecimal | undefined {
  if (value instanceof ShortDecimal) return value;
  if (typeof value === "string") return shortOfText(value);
  if (value instanceof LongDecimal) return shortOfDigits(value);
  return typeof value === "number" && Number.isSafeInteger(value) && !Object.is(value, -0)
    ? new ShortDecimal(value, 0)
    : undefined;
}

const longestText = 17;
const minus = 45;
const point = 46;
const zero = 48;

/** Undefined for other notations, too. */
function shortOfText(text: string): ShortDecimal | undefined {
  const { length } = text;
  const isNegative = text.charCodeAt(0) === minus;
  const start = isNegative ? 1 : 0;
  if (length > longestText || length === start) return undefined;
  let units = 0;
  let pointAt = length;
  for (let index = start; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code === point && pointAt === length && index > start && index < length - 1) pointAt = index;
    else if (code >= zero && code < zero + 10) units = units * 10 + (code - zero);
    else return undefined;
  }
  const places = Math.max(length - 1 - pointAt, 0);
  if (!Number.isSafeInteger(units) || places > mostPlaces || (isNegative && units === 0)) return undefined;
  return new ShortDecimal(isNegative ? -units : units, places);
}

/** The library has words of seven digits; those after the last one that is not zero are left out. */
const wordDigits = 7;

function shortOfDigits({ s, e, d }: Decimal): ShortDecimal | undefined {
  // Of no number, and of infinity.
  if (!Array.isArray(d)) return undefined;
  let units = 0;
  for (const word of d) units = units * 10 ** wordDigits + word;
  if (!Number.isSafeInteger(units) || (units === 0 && s < 0)) return undefined;
  let places = wordDigits * (d.length - 1 - Math.floor(e / wordDigits));
  for (; places > 0 && units % 10 === 0 && units !== 0; places--) units /= 10;
  units *= power(-places);
  if (!Number.isSafeInteger(units) || places > mostPlaces) return undefined;
  return new ShortDecimal(s < 0 ? -units : units, Math.max(places, 0));
}

function decimal(value: Decimal.Value): Decimal {
  const short = shortDecimal(value);
  return short === undefined ? new LongDecimal(value) : asDecimal(short);
}

/** The class of the library, whose constructor makes the shorter kind where it can. */
export const ShortestDecimal = Object.setPrototypeOf(decimal, LongDecimal) as typeof LongDecimal;
ShortestDecimal.prototype = inherited;
