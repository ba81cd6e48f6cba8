import { setImmediate } from "node:timers/promises";

/** Lets the tasks of one key run one after the other; different keys do not wait for each other. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    this.last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }

  /** The same, each task in a turn of the event loop of its own: however many wait, others are answered in between. */
  async takeApart<T>(key: string, task: () => Promise<T>): Promise<T> {
    return await this.take(key, async () => {
      await setImmediate();
      return await task();
    });
  }

  /** Ends when nothing runs any more. */
  async settled(): Promise<void> {
    while (this.last.size > 0) await Promise.allSettled(this.last.values());
  }
}
