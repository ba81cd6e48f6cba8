import { RequestError } from "@slipway/sdk";
import type { EventLoopWatch } from "../observability/event-loop-delay.js";
import { IdleMemory } from "../system/idle-memory.js";
import { settlesWithin } from "../system/time.js";
import type { Middleware } from "./request-state.js";

/** Milliseconds for aborted requests to send their responses. */
const lastWords = 500;

/** Counts running requests, so that a stop can wait for them and refuse new ones. */
export class InFlight {
  private readonly running = new Set<AbortController>();
  private waiting: (() => void)[] = [];
  private readonly stop = new AbortController();
  /** Gives memory back once no request runs; the start of the host counts as one. */
  readonly memory = new IdleMemory();

  constructor(private readonly eventLoop: EventLoopWatch) {}

  get stopping(): boolean {
    return this.closing.aborted;
  }

  /** Aborts when the stop begins; for endless responses. */
  get closing(): AbortSignal {
    return this.stop.signal;
  }

  /** Number of requests without a complete response. */
  get count(): number {
    return this.running.size;
  }

  readonly middleware: Middleware = async (ctx, next) => {
    if (this.stopping) {
      throw new RequestError({
        id: "host-stopping",
        code: 503,
        message: "The host is stopping. Try again.",
        headers: { Connection: "close", "Retry-After": "5" },
      });
    }
    const { abort } = ctx.state;
    this.running.add(abort);
    ctx.res.once("close", () => this.finished(abort));
    ctx.res.once("finish", () => this.finished(abort));
    this.eventLoop.watch(() => this.memory.isBusy);
    await this.memory.during(next);
    if (this.stopping && !ctx.headerSent) ctx.set("Connection", "close");
  };

  /** Refuses new requests with 503. Resolves when the running ones are done or, after `limit` ms, aborted. */
  async drain(limit: number): Promise<{ aborted: number }> {
    this.stop.abort(new Error("The host stops"));
    await this.idle(limit);
    const aborted = this.running.size;
    for (const abort of this.running) abort.abort(new Error("The host stops"));
    await this.idle(lastWords);
    return { aborted };
  }

  /** Resolves when no request is running, or after a timeout. */
  private async idle(milliseconds: number): Promise<void> {
    if (this.running.size === 0) return;
    await settlesWithin(new Promise<void>((resolve) => this.waiting.push(resolve)), milliseconds);
  }

  private finished(abort: AbortController): void {
    this.running.delete(abort);
    if (this.running.size > 0) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
