/** Draws that come again with the same seed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `least` to below `end`. */
  integer(least: number, end: number): number {
    return least + Math.floor(this.next() * (end - least));
  }

  /** Undefined of an empty list. */
  of<T>(list: readonly T[]): T | undefined {
    return list[this.integer(0, list.length)];
  }

  /** Another series, which does not depend on how often this one was asked since. */
  branch(): Random {
    return new Random(this.integer(0, 2 ** 32));
  }
}
