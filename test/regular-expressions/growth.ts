/** How the time of a piece of work grows with the size of what it is given, without a clock that could be late. */

/** Characters, each four times the one before. */
const sizes = [10_000, 40_000, 160_000, 640_000];
const rounds = 5;
/** Milliseconds of the processor. Below, a turn says more of the machine than of the work. */
const shortest = 0.05;

/**
 * How many times as long work takes for a text of four times the size, at most: about 4 where it is linear, 16 where it is
 * quadratic. Counted is the time of the processor, and of each size the shortest of several turns: other processes on the
 * machine delay turns and make none shorter. Ends at the first size at which the work grows more, so that what is quadratic
 * never gets a large text.
 */
export function growth(work: (text: string) => unknown, text: (size: number) => string): number {
  let most = 0;
  let before: number | undefined;
  for (const size of sizes) {
    const given = text(size);
    const turns = Array.from({ length: rounds }, () => processorTime(work, given));
    const time = Math.max(Math.min(...turns), shortest);
    if (before !== undefined) most = Math.max(most, time / before);
    if (most >= 10) break;
    before = time;
  }
  return most;
}

function processorTime(work: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  work(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
