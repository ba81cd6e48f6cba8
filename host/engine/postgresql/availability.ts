import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "@slipway/sdk";
import { errorMessage } from "../../system/errors.js";
import { engineUnavailable } from "../../system/request-errors.js";
import { monotonicTime } from "../../system/time.js";

export interface AvailabilityOptions {
  /** Shown to admins, such as "PostgreSQL at db1:5432"; without credentials. */
  name: string;
  /** Rejects while the engine does not answer, after a bounded time. */
  probe(): Promise<void>;
  log: Log;
}

/** Requests that wait for the engine to come back; more are refused at once. */
const mostWaiting = 100;
/** Milliseconds before the first and the later probes of a lost engine. */
const firstPause = 100;
const longestPause = 2000;

interface Outage {
  since: Date;
  cause: unknown;
  /** Milliseconds until the next probe. */
  next: number;
}

/** Whether the engine answers. Once it does not, it is probed until it does again. */
export class Availability {
  private outage: Outage | undefined;
  private readonly waiting = new Set<() => void>();
  private readonly ending = new AbortController();
  private probing: Promise<void> = Promise.resolve();

  constructor(private readonly options: AvailabilityOptions) {}

  get name(): string {
    return this.options.name;
  }

  get isLost(): boolean {
    return this.outage !== undefined;
  }

  /** The last error of the outage. */
  get cause(): unknown {
    return this.outage?.cause;
  }

  /** One sentence. */
  get detail(): string {
    const { name } = this.options;
    if (this.outage === undefined) return `${name} answers.`;
    const { since, cause, next } = this.outage;
    const time = since.toISOString().slice(11, 19);
    return `No connection to ${name} since ${time} UTC (${errorMessage(cause)}); next try in ${(next / 1000).toFixed(1)} s.`;
  }

  /** The engine did not answer. */
  lost(error: unknown): void {
    if (this.outage !== undefined || this.ending.signal.aborted) return;
    this.outage = { since: new Date(), cause: error, next: firstPause };
    this.options.log.error("The engine does not answer; what needs it gets 503", {
      engine: this.options.name,
      error,
    });
    this.probing = this.probe(this.outage);
  }

  /** Resolves when the engine answers; rejects with 503 at the deadline (monotonic), or when too many wait already. */
  async ready(deadline: number): Promise<void> {
    if (this.outage === undefined) return;
    const left = deadline - monotonicTime();
    if (left <= 0 || this.waiting.size >= mostWaiting) throw engineUnavailable();
    await new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.waiting.delete(settle);
        if (this.outage === undefined) resolve();
        else reject(engineUnavailable());
      };
      const timer = setTimeout(settle, left);
      this.waiting.add(settle);
    });
  }

  /** Ends the probes; refuses waiting requests. */
  async close(): Promise<void> {
    this.ending.abort();
    for (const settle of this.waiting) settle();
    await this.probing;
  }

  private async probe(outage: Outage): Promise<void> {
    const { signal } = this.ending;
    const { name, probe, log } = this.options;
    while (!signal.aborted) {
      // Spreads the probes of all hosts.
      await pause(outage.next * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await probe();
        this.outage = undefined;
        const seconds = Math.round((Date.now() - outage.since.getTime()) / 1000);
        log.info("The engine answers again", { engine: name, seconds });
        for (const settle of this.waiting) settle();
        return;
      } catch (error) {
        outage.cause = error;
        outage.next = Math.min(outage.next * 2, longestPause);
      }
    }
  }
}
