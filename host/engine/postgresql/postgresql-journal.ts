import { randomUUID } from "node:crypto";
import type { Check, Log } from "@slipway/sdk";
import type { EntryJournal } from "../../observability/entry-journal.js";
import { PendingLines } from "../../observability/pending-lines.js";
import { RecentEntries } from "../../system/recent-entries.js";
import { logUnlessOutage } from "../../system/request-errors.js";
import type { Connection } from "./connection.js";
import type { Counters } from "./counters.js";
import type { Database } from "./database.js";

export interface PostgresqlJournalOptions<Entry> {
  database: Database;
  counters: Counters;
  name: "event" | "audit";
  /** Validates an entry; invalid ones are not shown. */
  check: Check<Entry>;
  /** Bytes, plus a tenth for each host; beyond, the oldest entries are removed. */
  largest: number;
  /** Name of this host, for the entries. */
  hostName(): string | undefined;
  log: Log;
  messages: { unwritten: string; again: string };
}

interface Line {
  /** Identifies a line that is stored twice because the first response was lost. */
  token: string;
  data: string;
  /** The action that the line ends. */
  begun?: string | undefined;
}

/** Limit of entries in memory, and of pending lines. */
const capacity = 2000;

/**
 * Entries of all hosts in one table. Their ids come from a counter whose row is locked until the entries are visible: a reader
 * of an id can read all lower ids, whatever the order in which transactions end.
 */
export class PostgresqlJournal<Entry extends { id: number }> implements EntryJournal<Entry> {
  private readonly recent = new RecentEntries<Entry>(capacity);
  private readonly pending: PendingLines<Line>;
  private lastId = 0;
  private endFollowing: (() => void) | undefined;
  private turn: Promise<void> = Promise.resolve();
  /** Bytes that this host has added since it last removed the oldest entries. */
  private grown = 0;
  private cutting: Promise<void> = Promise.resolve();

  constructor(private readonly options: PostgresqlJournalOptions<Entry>) {
    this.pending = new PendingLines({ ...options, capacity, append: (lines) => this.append(lines) });
  }

  async open(): Promise<void> {
    await this.removeOldest();
    await this.poll();
    this.endFollowing = this.options.counters.follow(this.options.name, () => this.poll());
  }

  add(entry: Omit<Entry, "id">, begun?: string, token: string = randomUUID()): Promise<boolean> {
    const host = this.options.hostName();
    return this.pending.write({ token, data: JSON.stringify({ ...entry, host }), begun });
  }

  list(query: Parameters<RecentEntries<Entry>["list"]>[0]): Entry[] {
    return this.recent.list(query);
  }

  follow(listener: (entry: Entry) => void): () => void {
    return this.recent.follow(listener);
  }

  async close(): Promise<void> {
    this.endFollowing?.();
    await this.pending.close();
    await this.turn;
    await this.cutting;
  }

  private async append(lines: readonly Line[]): Promise<void> {
    const { database, name } = this.options;
    await database.transaction(async (connection) => {
      await this.passOver(connection);
      const counter = await connection.query<{ value: number }>(
        "SELECT value::float8 AS value FROM slipway.counter WHERE name = $1 FOR UPDATE",
        [name],
      );
      const tokens = lines.map(({ token }) => token);
      const stored = await connection.query<{ token: string }>(
        "SELECT token FROM slipway.entry WHERE token = ANY ($1::uuid[])",
        [tokens],
      );
      const known = new Set(stored.rows.map(({ token }) => token));
      const fresh = lines.filter(({ token }) => !known.has(token));
      await connection.query(
        `INSERT INTO slipway.entry (journal, id, token, data)
         SELECT $1, $2 + n, token, data FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS line (token, data, n)`,
        [name, counter.rows[0]?.value ?? 0, fresh.map(({ token }) => token), fresh.map(({ data }) => data)],
      );
      await connection.query("UPDATE slipway.counter SET value = value + $2 WHERE name = $1", [
        name,
        fresh.length,
      ]);
      await connection.query("DELETE FROM slipway.action WHERE id = ANY ($1::uuid[])", [
        lines.flatMap(({ begun }) => begun ?? []),
      ]);
    });
    this.cutInTime(lines);
    // Shown before the writer continues. The lines are stored, even if they cannot be read at once.
    await this.poll().catch(() => undefined);
  }

  /** Shows new entries of all hosts; one poll at a time. */
  private poll(): Promise<void> {
    const polled = this.turn.then(() => this.readLater());
    this.turn = polled.catch(() => undefined);
    return polled;
  }

  private async readLater(): Promise<void> {
    const { database, name, check } = this.options;
    const { rows } = await database.read(async (connection) => {
      await this.passOver(connection);
      return await connection.query<{ id: number; data: object }>(
        `SELECT id::float8 AS id, data::json AS data FROM (
           SELECT id, data FROM slipway.entry WHERE journal = $1 AND id > $2 ORDER BY id DESC LIMIT ${capacity}
         ) AS latest ORDER BY id`,
        [name, this.lastId],
      );
    });
    for (const { id, data } of rows) {
      const result = check({ ...data, id });
      if (result.ok) this.recent.add(result.value);
      this.lastId = id;
    }
  }

  /** After a failover to a standby without the last entries: skips their ids, which were already shown. */
  private async passOver(connection: Connection): Promise<void> {
    await connection.query("UPDATE slipway.counter SET value = $2 WHERE name = $1 AND value < $2", [
      this.options.name,
      this.lastId,
    ]);
  }

  /** Runs in the background. */
  private cutInTime(lines: readonly Line[]): void {
    const { largest, log } = this.options;
    this.grown += lines.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
    if (this.grown <= largest / 10) return;
    this.grown = 0;
    this.cutting = this.removeOldest().catch((error: unknown) =>
      logUnlessOutage(log, "The oldest entries could not be removed", error),
    );
  }

  private async removeOldest(): Promise<void> {
    const { database, name, largest } = this.options;
    await database.execute(
      `DELETE FROM slipway.entry WHERE journal = $1 AND id <= (
           SELECT max(id) FROM (
             SELECT id, sum(octet_length(data)) OVER (ORDER BY id DESC) AS bytes FROM slipway.entry WHERE journal = $1
           ) AS sums WHERE bytes > $2
         )`,
      [name, largest],
    );
  }
}
