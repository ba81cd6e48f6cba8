/** Milliseconds by which a timer may be early. */
const margin = 20;

/** Polls for work, one poll at a time; a request during a poll causes one more poll after it. */
export class Poller {
  private running: Promise<void> | undefined;
  private isWanted = false;

  /** `takeAll`: takes the work that is due, as far as the host has capacity. */
  constructor(private readonly takeAll: () => Promise<void>) {}

  poll(): void {
    this.isWanted = true;
    this.running ??= this.pollAgain().finally(() => {
      this.running = undefined;
    });
  }

  /** Polls once more after so many milliseconds. */
  pollIn(milliseconds: number): void {
    setTimeout(() => this.poll(), milliseconds + margin).unref();
  }

  /** Resolves when no poll is running. */
  async settled(): Promise<void> {
    await this.running;
  }

  private async pollAgain(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      await this.takeAll();
    }
  }
}
