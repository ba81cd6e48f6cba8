import { RequestError } from "@slipway/sdk";
import type { RequestLimits } from "../plugins/plugin-limits.js";

/** Lets a bounded number of requests work and a bounded number wait, first come first served. */
export class PluginGate {
  private working = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly limits: RequestLimits) {}

  /** Ends when there is room. 503 `request-overloaded` when too many wait; rejects as the signal does. */
  async enter(signal: AbortSignal): Promise<void> {
    if (this.working < this.limits.concurrency) {
      this.working += 1;
      return;
    }
    if (this.queue.length >= this.limits.queue) throw overloaded();
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

  /** Gives the room to the next one that waits. */
  leave(): void {
    const next = this.queue.shift();
    if (next === undefined) this.working -= 1;
    else next();
  }
}

/** 503 that says when to come back. */
export function overloaded(message = "Too many requests wait for this plugin."): RequestError {
  return new RequestError({ id: "request-overloaded", code: 503, message, headers: { "Retry-After": "1" } });
}
