import type { Database } from "./database.js";

/** Milliseconds; dropping waits for readers of other days, and new readers wait for it. */
const longestWait = 500;

/** The partitions of the table of chunks, one for each day on which files expire. */
export class Partitions {
  private readonly known = new Set<string>();

  constructor(private readonly database: Database) {}

  /** The partition of a file that is written now, such as "2026-11-24"; creates it if necessary. */
  async of(lifetime: number): Promise<string> {
    const name = new Date(Date.now() + lifetime).toISOString().slice(0, 10);
    if (!this.known.has(name)) await this.create(name);
    this.known.add(name);
    return name;
  }

  /**
   * Drops partitions whose files expired before yesterday: a day late, because writers choose them by their own clock, and
   * because readers may still be active.
   */
  async drop(): Promise<void> {
    const { rows } = await this.database.query<{ name: string; day: string }>(
      `SELECT child.relname AS name, replace(substr(child.relname, 7), '_', '-') AS day
         FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
         WHERE inhparent = 'slipway.chunk'::regclass
           AND child.relname < 'chunk_' || to_char(now() AT TIME ZONE 'UTC' - interval '1 day', 'YYYY_MM_DD')`,
    );
    for (const each of rows)
      await this.database.transaction(async (connection) => {
        const used = await connection.query("SELECT FROM slipway.artifact WHERE day = $1 LIMIT 1", [
          each.day,
        ]);
        if (used.rowCount !== 0) return;
        await connection.query(`SET LOCAL lock_timeout = ${longestWait}`);
        await connection.query(`DROP TABLE IF EXISTS slipway.${each.name}`);
      });
  }

  /** Attaches a complete table: creating it in place would lock out readers. */
  private async create(name: string): Promise<void> {
    const table = `slipway.chunk_${name.replaceAll("-", "_")}`;
    await this.database.transaction(async (connection) => {
      await connection.query("SELECT FROM slipway.meta FOR UPDATE");
      const { rows } = await connection.query<{ isThere: boolean }>(
        'SELECT to_regclass($1) IS NOT NULL AS "isThere"',
        [table],
      );
      if (rows[0]?.isThere === true) return;
      await connection.query(
        `CREATE TABLE ${table} (LIKE slipway.chunk INCLUDING STORAGE INCLUDING INDEXES)`,
      );
      await connection.query(`ALTER TABLE slipway.chunk ATTACH PARTITION ${table} FOR VALUES IN ('${name}')`);
    });
  }
}
