/** How the time of a piece of work grows with the size of what it is given, without a clock that could be late. */
import { performance } from "node:perf_hooks";

const rounds = 7;
/** Below this a turn says more of the machine than of the work. */
const shortest = 0.05;

/**
 * How many times as long work takes for a text of four times the size: about 4 where it is linear, 16 where it is quadratic.
 * Both sizes are measured side by side several times, and the smallest ratio counts: another process on the machine delays one
 * turn, not all of them. What is quadratic shows already at a small size, so that a failing test ends.
 */
export function growth(work: (text: string) => unknown, text: (size: number) => string): number {
  const small = smallestRatio(work, text(10_000), text(40_000));
  return small >= 10 ? small : smallestRatio(work, text(250_000), text(1_000_000));
}

function smallestRatio(work: (text: string) => unknown, small: string, large: string): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && smallest > 6; round++)
    smallest = Math.min(smallest, time(work, large) / Math.max(time(work, small), shortest));
  return smallest;
}

function time(work: (text: string) => unknown, text: string): number {
  const start = performance.now();
  work(text);
  return performance.now() - start;
}
