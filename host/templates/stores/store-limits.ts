import { withTimeout } from "../../system/time.js";
import { orAborted } from "./store-failure.js";

/** Limits the number of concurrent tasks per key; keys are independent. */
export class ServerSlots {
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

/** Milliseconds. */
const shortWait = 500;
/** Half of the default request concurrency of a plugin. */
const mostWaiting = 8;
const mostServers = 1000;

/**
 * Limits how long lists wait for store servers, so that a hanging server does not block all requests of a plugin: only
 * a limited number of lists wait for the full store timeout, and no list while the server is known to hang.
 */
export class StoreWaitLimits {
  private readonly hanging = new Set<string>();
  private readonly waiting = new Map<string, number>();

  /** `timeout`: the store timeout in milliseconds. */
  constructor(private readonly timeout: number) {}

  /** Waits for the response of a server; after the timeout, returns the result of `late`. */
  async wait<T>(server: string, answer: Promise<T>, late: (waited: number) => T): Promise<T> {
    const before = this.waiting.get(server) ?? 0;
    const isShort = this.hanging.has(server) || before >= mostWaiting;
    const timeout = isShort ? Math.min(shortWait, this.timeout) : this.timeout;
    const answered = withTimeout(answer, timeout, () => late(timeout));
    if (isShort) return await answered;
    this.waiting.set(server, before + 1);
    try {
      return await answered;
    } finally {
      const left = (this.waiting.get(server) ?? 1) - 1;
      if (left > 0) this.waiting.set(server, left);
      else this.waiting.delete(server);
    }
  }

  /** Records whether a server exceeded the full timeout. */
  note(server: string, hangs: boolean): void {
    if (!hangs) this.hanging.delete(server);
    else if (this.hanging.size < mostServers) this.hanging.add(server);
  }
}
