import { Session } from "node:inspector/promises";
import { setImmediate as afterwards } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";

const mebibyte = 1024 ** 2;
/** Milliseconds without a call before memory is returned, and until a second time, for what caches have dropped by then. */
const idleTime = 5000;
const cacheTime = 35_000;
/** Growth of the heap, in bytes, that is worth a collection. */
const worthwhile = 32 * mebibyte;

/**
 * Returns the memory of the start, and later of large calls, to the system once no call runs. V8 alone would keep it until the
 * next large call, because an idle process allocates nothing that triggers a collection.
 */
export class IdleMemory {
  private calls = 0;
  /** Bytes of the heap after the first call, or less after a collection: its size without the contents of caches. */
  private least: number | undefined;
  /** Bytes of the heap after the last collection. */
  private settled: number | undefined;
  private timer = this.settleSoon();

  /** Whether a call runs. */
  get isBusy(): boolean {
    return this.calls > 0;
  }

  /** Runs a call. Rejects as it does. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    this.calls += 1;
    clearTimeout(this.timer);
    try {
      return await call();
    } finally {
      this.calls -= 1;
      this.least ??= heapSize();
      if (this.calls === 0) this.timer = this.settleSoon();
    }
  }

  private settleSoon(): NodeJS.Timeout {
    return setTimeout(async () => {
      await this.settle(this.settled);
      if (this.calls === 0) this.timer = setTimeout(() => this.settle(this.least), cacheTime).unref();
    }, idleTime).unref();
  }

  /** Collects garbage if the heap has grown enough since it had `before` bytes. */
  private async settle(before: number | undefined): Promise<void> {
    if (before !== undefined && heapSize() - before < worthwhile) return;
    await collectGarbage();
    this.settled = heapSize();
    this.least = Math.min(this.least ?? this.settled, this.settled);
  }
}

function heapSize(): number {
  return getHeapStatistics().total_heap_size;
}

/** With `--expose-gc`: taken away, so that code which runs here later cannot use it. */
const exposed = globalThis.gc;
Reflect.deleteProperty(globalThis, "gc");

/** Returns empty pages to the system, too. */
async function collectGarbage(): Promise<void> {
  if (exposed !== undefined) {
    // Node.js 20 returns them after the first, later versions after the second.
    exposed();
    exposed({ type: "major", execution: "sync", flavor: "last-resort" });
    return;
  }
  // As developer tools do it.
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  // The session cannot end while it answers.
  await afterwards();
  session.disconnect();
}
