import type { Log } from "@slipway/sdk";
import type { SharedUses } from "../../security/rate-limit.js";
import { logUnlessOutage } from "../../system/request-errors.js";
import { monotonicTime } from "../../system/time.js";
import type { Database } from "./database.js";

interface Uses {
  most: number;
  seconds: number;
  /** Uses on this host since the last addition. */
  added: number;
  /** Monotonic time until which all hosts together have no use left. */
  refusedUntil: number;
}

/** Milliseconds between additions. */
const interval = 1000;
/** Additions between two removals of old counts. */
const additionsBetween = 60;
/** Share of a limit that is added at once, by which each host may exceed the limit. */
const share = 0.1;
/** Limit of names in memory; each host limits further ones alone. */
const mostNames = 10_000;

/**
 * Uses of all hosts, in windows by the clock of the database. Each host counts by itself and adds its count to that of all every
 * second, so that no request waits for the engine; while the engine is away, each host limits alone.
 */
export class PostgresqlUses implements SharedUses {
  private readonly names = new Map<string, Uses>();
  private timer: NodeJS.Timeout | undefined;
  private adding: Promise<void> | undefined;
  private additions = 0;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  open(): void {
    this.timer = setInterval(() => this.add(), interval).unref();
  }

  take(name: string, most: number, seconds: number): number | undefined {
    const uses = this.names.get(name) ?? { most, seconds, added: 0, refusedUntil: 0 };
    const wait = uses.refusedUntil - monotonicTime();
    if (wait > 0) return wait;
    if (this.names.size >= mostNames && !this.names.has(name)) return undefined;
    uses.most = most;
    uses.seconds = seconds;
    uses.added += 1;
    this.names.set(name, uses);
    if (uses.added >= most * share) this.add();
    return undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.adding;
  }

  private add(): void {
    this.adding ??= this.addOnce()
      .catch((error: unknown) => logUnlessOutage(this.log, "Uses of all hosts cannot be counted", error))
      .finally(() => {
        this.adding = undefined;
      });
  }

  private async addOnce(): Promise<void> {
    const now = monotonicTime();
    for (const [name, { added, refusedUntil }] of this.names)
      if (added === 0 && refusedUntil <= now) this.names.delete(name);
    const sent = [...this.names]
      .filter(([, { added }]) => added > 0)
      .map(([name, { added, seconds }]) => ({ name, added, seconds }))
      // The same order on all hosts prevents deadlocks of the row locks.
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    if (sent.length === 0) return;
    const { rows } = await this.database.execute<{ name: string; count: number; left: number }>(
      `INSERT INTO slipway.uses AS uses (name, ends_at, count)
         SELECT name, to_timestamp((floor(extract(epoch FROM now()) / seconds) + 1) * seconds), added
         FROM unnest($1::text[], $2::float8[], $3::int[]) AS use (name, seconds, added)
         ON CONFLICT (name, ends_at) DO UPDATE SET count = uses.count + excluded.count
         RETURNING name, count::float8 AS count, (extract(epoch FROM ends_at - now()) * 1000)::float8 AS left`,
      [sent.map(({ name }) => name), sent.map(({ seconds }) => seconds), sent.map(({ added }) => added)],
    );
    for (const { name, added } of sent) {
      const uses = this.names.get(name);
      if (uses !== undefined) uses.added -= added;
    }
    for (const { name, count, left } of rows) {
      const uses = this.names.get(name);
      if (uses !== undefined && count >= uses.most) uses.refusedUntil = monotonicTime() + left;
    }
    this.additions += 1;
    if (this.additions % additionsBetween !== 0) return;
    await this.database.execute("DELETE FROM slipway.uses WHERE ends_at < now()");
  }
}
