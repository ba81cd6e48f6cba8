/** Splitting an amount of money so that the parts add up to the cent. */
import { type Exact, sum, zero } from "../exact.js";
import type { Rounding } from "./rounding.js";

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
