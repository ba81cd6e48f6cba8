/** Counts what still needs something, so that its end can be waited for. */
export class Holds {
  private count = 0;
  private waiting: (() => void)[] = [];

  /** One more; the result gives it back, once however often it is called. */
  take(): () => void {
    this.count += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.count -= 1;
      if (this.count === 0) for (const resolve of this.waiting.splice(0)) resolve();
    };
  }

  /** Resolves when there is none. */
  async none(): Promise<void> {
    while (this.count > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
