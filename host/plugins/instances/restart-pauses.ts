import { steadyTime } from "../../system/monotonic-time.js";

const first = 500;
const longest = 30_000;
const memory = 5 * 60_000;

/** How long to wait before an instance is replaced: not at all at first, longer and longer when it keeps ending. */
export class RestartPauses {
  private replaced: number[] = [];

  /** Milliseconds; counts as one replacement. */
  next(now = steadyTime()): number {
    this.replaced = this.replaced.filter((moment) => now - moment < memory);
    const before = this.replaced.length;
    this.replaced.push(now);
    return before === 0 ? 0 : Math.min(longest, first * 2 ** (before - 1));
  }
}
