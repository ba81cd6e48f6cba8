import { Observed } from "./observed.js";

const firstPause = 500;
const longestPause = 15_000;

/** Since when nobody answers, and when it is tried again, in milliseconds since the epoch. */
export interface Away {
  since: number;
  nextTry: number;
}

/**
 * Whether the host answers. What asks it says so after each request; while it is away this tries again and again, with
 * pauses that grow.
 */
export class Connection {
  /** Undefined while the host answers. */
  readonly away = new Observed<Away | undefined>(undefined);
  /** One more each time that the host is back. */
  readonly returns = new Observed(0);
  private pause = firstPause;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `ask` resolves with whether the host takes requests. */
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

  /** Does not wait for the end of the pause. */
  tryNow(): void {
    if (this.away.value === undefined) return;
    clearTimeout(this.timer);
    this.pause = firstPause;
    void this.try(this.away.value.since);
  }

  /** Resolves when the host answers, at once where it does. */
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
