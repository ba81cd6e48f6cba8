import type { Log } from "@slipway/sdk";
import { logUnlessOutage } from "../../system/request-errors.js";
import type { Database } from "./database.js";

/** Counters of changes that all hosts follow. */
export type CounterName = "event" | "audit" | "keys" | "switch";

/** Milliseconds between polls. */
const interval = 1000;

/**
 * Detects changes by other hosts: each change increases a counter in its own transaction, and each host polls the counters every
 * second. Notices of the database are not enough, because disconnected hosts miss them.
 */
export class Counters {
  private readonly known = new Map<string, number>();
  private readonly listeners = new Map<CounterName, () => Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Calls when a counter has another value; one call at a time. A call that rejects is repeated. */
  follow(name: CounterName, listener: () => Promise<void>): () => void {
    this.listeners.set(name, listener);
    return () => void this.listeners.delete(name);
  }

  open(): void {
    this.timer = setInterval(() => void this.poll(), interval).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.polling;
  }

  private poll(): Promise<void> {
    this.polling ??= this.pollOnce()
      .catch((error: unknown) => logUnlessOutage(this.log, "Changes of other hosts cannot be read", error))
      .finally(() => {
        this.polling = undefined;
      });
    return this.polling;
  }

  private async pollOnce(): Promise<void> {
    const { rows } = await this.database.query<{ name: string; value: number }>(
      "SELECT name, value::float8 AS value FROM slipway.counter",
    );
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    for (const [name, listener] of this.listeners) {
      const value = values.get(name);
      if (value === undefined || value === this.known.get(name)) continue;
      await listener();
      this.known.set(name, value);
    }
  }
}
