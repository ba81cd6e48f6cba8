import { Exact } from "@slipway/sdk";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import t from "tap";

/** The library by itself, with the same settings. */
const Plain = Decimal.clone({ precision: 80, rounding: 6, toExpNeg: -200, toExpPos: 200 });

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const sign = fc.constantFrom("", "-");
/** Amounts as projects have them, and numbers at and above what is counted in whole numbers. */
const numbers = fc.oneof(
  fc.tuple(sign, digits(6), digits(2)).map(([minus, whole, cents]) => `${minus}${whole}.${cents}`),
  fc.tuple(sign, digits(20), digits(20)).map(([minus, whole, places]) => `${minus}${whole}.${places}`),
  fc.tuple(sign, digits(18)).map(([minus, whole]) => `${minus}${whole}`),
  fc.constantFrom(
    "0",
    "-0",
    "0.00",
    "-0.00",
    "0.005",
    "-0.005",
    "9007199254740991",
    "-9007199254740992",
    "1e21",
    "1E-7",
  ),
);
const places = fc.integer({ min: 0, max: 20 });
const modes = fc.constantFrom<Decimal.Rounding>(0, 1, 2, 3, 4, 5, 6, 7, 8);

/** With the sign of zero. */
const shown = (value: Decimal): string => `${value.isNegative() ? "negative " : ""}${value.toFixed()}`;

const same = (compute: (a: Decimal, b: Decimal) => unknown) => (first: string, second: string) => {
  const text = (value: unknown): string => (Decimal.isDecimal(value) ? shown(value) : String(value));
  return (
    text(compute(new Exact(first), new Exact(second))) === text(compute(new Plain(first), new Plain(second)))
  );
};

const operations: Record<string, (a: Decimal, b: Decimal) => unknown> = {
  "add up": (a, b) => a.plus(b),
  "are subtracted": (a, b) => a.minus(b),
  "are multiplied": (a, b) => a.times(b),
  "are multiplied by a text": (a, b) => a.times(b.toFixed()),
  "are divided": (a, b) => a.div(b),
  "leave a remainder": (a, b) => a.mod(b),
  "are compared": (a, b) => [a.cmp(b), a.eq(b), a.lt(b), a.gte(b), a.gt(0), a.lt(1)].join(),
  "are the least": (a, b) => Decimal.min(a, b),
  "change their sign": (a) => a.negated().plus(a.abs()),
  "become negative": (a) => a.neg(),
  "have decimal places": (a) => `${a.decimalPlaces()} ${a.isZero()} ${a.isInteger()} ${a.precision()}`,
  "are written": (a) => `${a} ${JSON.stringify(a)} ${a.toNumber()} ${a.toFixed(2)} ${a.toFixed(17)}`,
  "are rounded to multiples": (a) => a.toNearest("0.05", 4),
  "keep what operations make of them": (a, b) =>
    a.plus(b).minus(b).times("0.01").plus(b.abs()).toDecimalPlaces(3),
};

for (const [name, compute] of Object.entries(operations)) {
  t.test(`exact numbers ${name} as the library's do`, (t) => {
    t.doesNotThrow(() => fc.assert(fc.property(numbers, numbers, same(compute)), { numRuns: 1000 }));
    t.end();
  });
}

t.test("exact numbers are rounded as the library's are, in each of its ways", (t) => {
  const rounded = fc.property(numbers, places, modes, (text, digits, mode) =>
    [
      (a: Decimal) => a.toDecimalPlaces(digits, mode),
      (a: Decimal) => new Plain(a.toFixed(digits, mode)),
    ].every((round) => same(round)(text, "0")),
  );
  t.doesNotThrow(() => fc.assert(rounded, { numRuns: 3000 }));
  t.end();
});

t.test("exact numbers are of one class, however they were made", (t) => {
  for (const value of [new Exact("12.50"), new Exact(1).div(3), new Exact("1e30")]) {
    t.ok(value instanceof Exact);
    t.ok(Decimal.isDecimal(value));
    t.equal(value.constructor, new Exact(1).div(3).constructor);
  }
  t.throws(() => new Exact("twelve"), /Invalid argument/);
  t.end();
});
