import { setImmediate } from "node:timers/promises";

// Not p-map: it rejects while work that had begun still runs (3 of 4 items when measured), so files could appear in a folder that is being removed.
/**
 * Runs the work for each item, at most `limit` at a time; results in the order of the items. Rejects with the first failure,
 * once all work that had begun is over; begins no more work after it.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

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

  /** The same, each task in a separate turn of the event loop, so that other work runs in between. */
  async takeApart<T>(key: string, task: () => Promise<T>): Promise<T> {
    return await this.take(key, async () => {
      await setImmediate();
      return await task();
    });
  }

  /** Resolves when no task runs. */
  async settled(): Promise<void> {
    while (this.last.size > 0) await Promise.allSettled(this.last.values());
  }
}
