/**
 * Does the same thing again and again, never twice at a time: when somebody asks, when something wakes it, and when the
 * time has come that the round before has named.
 */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  /** Of the timer, by `performance.now()`. */
  private due = Number.POSITIVE_INFINITY;
  private running: Promise<void> | undefined;
  private following: Promise<void> | undefined;
  /** The timer has come while a round was running. */
  private wakeAfterwards = false;
  private stopped = false;

  /** `round` never rejects; it gives the milliseconds until the next one, at the latest. */
  constructor(private readonly round: (asked: boolean) => Promise<number>) {}

  /** Resolves at the end of a round that has begun after the call; many that ask meanwhile share it. */
  ask(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    if (this.following !== undefined) return this.following;
    if (this.running === undefined) return this.run(true);
    this.following = this.running.then(() => {
      this.following = undefined;
      return this.run(true);
    });
    return this.following;
  }

  /** The next round begins in so many milliseconds, or earlier. */
  wakeIn(milliseconds: number): void {
    const due = performance.now() + milliseconds;
    if (this.stopped || due >= this.due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => {
      this.due = Number.POSITIVE_INFINITY;
      if (this.running === undefined) void this.run(false);
      else this.wakeAfterwards = true;
    }, Math.ceil(milliseconds)).unref();
  }

  /** Nothing begins any more; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.following;
    await this.running;
  }

  private run(asked: boolean): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.running = this.round(asked).then((pause) => {
      this.running = undefined;
      this.wakeIn(this.wakeAfterwards ? 0 : pause);
      this.wakeAfterwards = false;
    });
    return this.running;
  }
}
