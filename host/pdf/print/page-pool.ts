import type { WarmPage } from "./warm-page.js";

interface Waiting {
  resolve(page: WarmPage): void;
  reject(error: Error): void;
}

/** Idle pages, and those who wait for one. */
export class PagePool {
  private idle: WarmPage[] = [];
  private readonly waiting: Waiting[] = [];

  /** How many are idle. */
  get size(): number {
    return this.idle.length;
  }

  /** How many wait. */
  get queued(): number {
    return this.waiting.length;
  }

  /** An idle page, or the next one that is offered. Rejects with the reason of the signal, or of `refuse`. */
  take(signal: AbortSignal): Promise<WarmPage> {
    const page = this.idle.pop();
    if (page !== undefined) return Promise.resolve(page);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const index = this.waiting.indexOf(waiting);
        if (index !== -1) this.waiting.splice(index, 1);
        reject(signal.reason);
      };
      const settled = (): void => signal.removeEventListener("abort", leave);
      const waiting: Waiting = {
        resolve: (page) => {
          settled();
          resolve(page);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      if (signal.aborted) reject(signal.reason);
      else this.waiting.push(waiting);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  offer(page: WarmPage): void {
    const next = this.waiting.shift();
    if (next === undefined) this.idle.push(page);
    else next.resolve(page);
  }

  /** Takes a page out if it is idle. */
  withdraw(page: WarmPage): boolean {
    const index = this.idle.indexOf(page);
    if (index !== -1) this.idle.splice(index, 1);
    return index !== -1;
  }

  /** Takes idle pages out, except for as many of those used last as are `kept`. */
  withdrawAll(kept = 0): WarmPage[] {
    return this.idle.splice(0, Math.max(0, this.idle.length - kept));
  }

  /** Turns away everybody who waits. */
  refuse(error: Error): void {
    for (const each of this.waiting.splice(0)) each.reject(error);
  }
}
