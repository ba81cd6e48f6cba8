import { RequestError } from "@slipway/sdk";
import type { RequestLimits } from "../plugins/plugin-limits.js";

/** Requests that work and that wait, and the most there may be of each. */
export interface GateLoad {
  working: number;
  waiting: number;
  concurrency: number;
  queue: number;
  /** Requests that were turned away since the host started. */
  refused: number;
}

/** Lets a bounded number of requests work and a bounded number wait, first come first served. */
export class PluginGate {
  private working = 0;
  private refused = 0;
  private readonly queue: (() => void)[] = [];

  /** `limits` may change at any time; fewer count for what comes from then on. */
  constructor(private readonly limits: () => RequestLimits) {}

  /** How busy it is right now, and how busy it may be. */
  get load(): GateLoad {
    const { concurrency, queue } = this.limits();
    const { working, refused } = this;
    return { working, waiting: this.queue.length, concurrency, queue, refused };
  }

  /** Ends when there is room. 503 `request-overloaded` when too many wait; rejects as the signal does. */
  async enter(signal: AbortSignal): Promise<void> {
    const { concurrency, queue } = this.limits();
    if (this.working < concurrency) {
      this.working += 1;
      return;
    }
    if (this.queue.length >= queue) {
      this.refused += 1;
      throw overloaded();
    }
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(proceed), 1);
        reject(signal.reason);
      };
      const proceed = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      this.queue.push(proceed);
    });
  }

  /** Gives the room to the next ones that wait. */
  leave(): void {
    this.working -= 1;
    const free = this.limits().concurrency - this.working;
    for (const proceed of this.queue.splice(0, Math.max(0, free))) {
      this.working += 1;
      proceed();
    }
  }
}

/** 503 that says when to come back. */
export function overloaded(message = "Too many requests wait for this plugin."): RequestError {
  return new RequestError({ id: "request-overloaded", code: 503, message, headers: { "Retry-After": "1" } });
}
