import { orAborted } from "./store-failure.js";

/** Limits the number of concurrent tasks per key; keys are independent. */
export class Places {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly most: number) {}

  /** Rejects with the signal's reason when it aborts before the task starts. */
  async take<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    while ((this.taken.get(key) ?? 0) >= this.most) await this.change(key, signal);
    this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
    try {
      return await task();
    } finally {
      this.leave(key);
    }
  }

  private async change(key: string, signal: AbortSignal): Promise<void> {
    const waiting = this.waiting.get(key) ?? new Set();
    this.waiting.set(key, waiting);
    let wake = (): void => undefined;
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    waiting.add(wake);
    try {
      await orAborted(changed, signal);
    } finally {
      waiting.delete(wake);
    }
  }

  private leave(key: string): void {
    const left = (this.taken.get(key) ?? 1) - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
    const waiting = this.waiting.get(key);
    this.waiting.delete(key);
    for (const wake of waiting ?? []) wake();
  }
}
