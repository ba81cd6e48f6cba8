import { Observed } from "./observed.js";

const firstPause = 500;
const longestPause = 15_000;

/** Since when the host is unreachable, and the time of the next attempt, in milliseconds since the epoch. */
export interface Away {
  since: number;
  nextTry: number;
}

/**
 * Tracks whether the host is reachable. Clients report the outcome of each request; while the host is unreachable, this class
 * retries with growing pauses.
 */
export class Connection {
  /** Undefined while the host answers. */
  readonly away = new Observed<Away | undefined>(undefined);
  /** Increases each time that the host is back. */
  readonly returns = new Observed(0);
  private pause = firstPause;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `ask` resolves with whether the host accepts requests. */
  constructor(private readonly ask: () => Promise<boolean>) {}

  answered(): void {
    if (this.away.value === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pause = firstPause;
    this.away.set(undefined);
    this.returns.set(this.returns.value + 1);
  }

  lost(): void {
    if (this.away.value === undefined) this.tryLater(Date.now());
  }

  /** Tries now, without waiting for the end of the pause. */
  tryNow(): void {
    if (this.away.value === undefined) return;
    clearTimeout(this.timer);
    this.pause = firstPause;
    void this.try(this.away.value.since);
  }

  /** Resolves when the host responds; at once if it is reachable. */
  async present(): Promise<void> {
    if (this.away.value === undefined) return;
    await new Promise<void>((resolve) => {
      const unfollow = this.away.follow((away) => {
        if (away !== undefined) return;
        unfollow();
        resolve();
      });
    });
  }

  private tryLater(since: number): void {
    this.away.set({ since, nextTry: Date.now() + this.pause });
    this.timer = setTimeout(() => void this.try(since), this.pause);
    this.pause = Math.min(this.pause * 2, longestPause);
  }

  private async try(since: number): Promise<void> {
    if (await this.ask()) this.answered();
    else if (this.away.value !== undefined) this.tryLater(since);
  }
}
