import { Exact } from "@slipway/sdk";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import t from "tap";

const digits = (most: number) => fc.bigInt({ min: 0n, max: 10n ** BigInt(most) - 1n });
const sign = fc.constantFrom(1n, -1n);
/** Whole numbers of at most 38 digits: amounts of a project have at most 40 characters. */
const units = fc
  .tuple(sign, fc.oneof(digits(6), digits(18), digits(38)))
  .map(([factor, value]) => factor * value);
const places = fc.integer({ min: 0, max: 19 });

/** The text of `units` at `places` decimal places. */
function written(units: bigint, places: number): string {
  const text = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const whole = `${units < 0n ? "-" : ""}${text.slice(0, text.length - places)}`;
  return places === 0 ? whole : `${whole}.${text.slice(text.length - places)}`;
}

t.test("exact numbers add up, are subtracted and multiplied as whole numbers are, to the last digit", (t) => {
  const property = fc.property(units, units, places, (left, right, digits) => {
    const a = new Exact(written(left, digits));
    const b = new Exact(written(right, digits));
    return (
      a.plus(b).eq(written(left + right, digits)) &&
      a.minus(b).eq(written(left - right, digits)) &&
      a.times(b).eq(written(left * right, 2 * digits))
    );
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 2000 }));
  t.end();
});

t.test("exact numbers are written without an exponent and read again unchanged", (t) => {
  const property = fc.property(units, places, (value, digits) => {
    const text = written(value, digits);
    const exact = new Exact(text);
    return (
      exact.toFixed(digits) === (value === 0n ? text.replace("-", "") : text) && !/e/i.test(String(exact))
    );
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 2000 }));
  t.equal(String(new Exact("1e-60").times("1e-60")), `0.${"0".repeat(119)}1`);
  t.end();
});

t.test("halves become the even neighbour, unless a call says otherwise", (t) => {
  const rounded = ["0.005", "0.015", "-0.025", "0.0050001"].map((text) => new Exact(text).toFixed(2));
  t.strictSame(rounded, ["0.00", "0.02", "-0.02", "0.01"]);
  t.equal(new Exact("0.005").toFixed(2, Exact.ROUND_HALF_UP), "0.01");
  t.end();
});

t.test("exact numbers keep their settings whatever others set in decimal.js", (t) => {
  const { precision, rounding } = Decimal;
  t.teardown(() => Decimal.set({ precision, rounding }));
  Decimal.set({ precision: 3, rounding: Decimal.ROUND_UP });
  t.equal(new Exact("123456789.01").times("1.000000001").toFixed(), "123456789.13345678901");
  t.end();
});

t.test("exact numbers are decimals of decimal.js, however they were made", (t) => {
  for (const value of [new Exact("12.50"), new Exact(1).div(3), new Exact("1e30")]) {
    t.ok(value instanceof Exact);
    t.ok(Decimal.isDecimal(value));
  }
  t.throws(() => new Exact("twelve"));
  t.end();
});
