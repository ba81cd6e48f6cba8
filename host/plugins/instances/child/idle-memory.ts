import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const mebibyte = 1024 ** 2;
/** Milliseconds without a call before memory is given back. */
const idleTime = 5000;
/** Growth of the heap, in bytes, that is worth a collection. */
const worthwhile = 32 * mebibyte;

/**
 * Gives the memory of a large call back to the system once nothing runs. V8 alone keeps it until the next large call, because
 * an idle process allocates nothing that would make it collect.
 */
export class IdleMemory {
  private calls = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Bytes of the heap after the last collection; undefined before the first call. */
  private settled: number | undefined;

  /** Runs a call. Rejects as it does. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    this.calls += 1;
    clearTimeout(this.timer);
    this.settled ??= heapSize();
    try {
      return await call();
    } finally {
      this.calls -= 1;
      if (this.calls === 0) this.timer = setTimeout(() => this.settle(), idleTime).unref();
    }
  }

  private settle(): void {
    let size = heapSize();
    if (size - (this.settled ?? 0) < worthwhile) return;
    const collect = collector();
    // Pages that one collection empties are often given back by the next.
    for (let before = Number.POSITIVE_INFINITY; size < before - worthwhile / 2; size = heapSize()) {
      before = size;
      collect();
    }
    this.settled = size;
  }
}

function heapSize(): number {
  return process.memoryUsage().heapTotal;
}

/** V8's own; the flag is off again afterwards, so that plugins do not see it. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return typeof collect === "function" ? () => void collect() : () => undefined;
}
