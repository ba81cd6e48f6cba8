import type { Connection } from "./connection.js";
import { idempotencyAttempts, idempotencyTables } from "./idempotency-tables.js";
import { jobTables, webhookFailures, webhookTables } from "./job-tables.js";
import { outcomeTables, switchTables } from "./switch-tables.js";

/**
 * The tables, in steps that never change after their release. Within a `major`, steps only add, so that hosts of two versions
 * work side by side.
 *
 * `content` and `chunk` hold bytes in rows of 1 MiB at most, uncompressed: pictures and PDFs are. Chunks lie in partitions
 * by the day on which their file expires, which are dropped as a whole. A transaction
 * changes `usage` last, because all writers wait for its rows; likewise `counter`, for the ids of `entry` and for changes of keys.
 * Data that a crash of the database may delete, such as uses of rate limits, is unlogged.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE slipway.usage (
    kind text PRIMARY KEY,
    count bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    evicted bigint NOT NULL DEFAULT 0
  );
  INSERT INTO slipway.usage (kind) VALUES ('session'), ('artifact');

  CREATE TABLE slipway.session (
    id uuid PRIMARY KEY,
    locale text NOT NULL,
    revision integer NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    summary json NOT NULL,
    revisions json NOT NULL,
    bytes bigint NOT NULL
  );
  CREATE INDEX session_expires_at ON slipway.session (expires_at);

  CREATE TABLE slipway.content (
    session uuid NOT NULL REFERENCES slipway.session (id) ON DELETE CASCADE,
    name text NOT NULL,
    n integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (session, name, n)
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
  ALTER TABLE slipway.content ALTER COLUMN data SET STORAGE EXTERNAL;

  CREATE TABLE slipway.artifact (
    id text PRIMARY KEY,
    name text NOT NULL,
    media_type text NOT NULL,
    bytes bigint NOT NULL,
    etag text NOT NULL,
    day date NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    removed_at timestamptz
  );
  CREATE INDEX artifact_created_at ON slipway.artifact (created_at) WHERE removed_at IS NULL;
  CREATE INDEX artifact_expires_at ON slipway.artifact (expires_at) WHERE removed_at IS NULL;
  CREATE INDEX artifact_removed_at ON slipway.artifact (removed_at) WHERE removed_at IS NOT NULL;
  CREATE INDEX artifact_day ON slipway.artifact (day);

  CREATE TABLE slipway.chunk (
    day date NOT NULL,
    artifact text NOT NULL,
    n integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (day, artifact, n)
  ) PARTITION BY LIST (day);
  ALTER TABLE slipway.chunk ALTER COLUMN data SET STORAGE EXTERNAL;
  `,
  `
  CREATE TABLE slipway.member (
    id uuid PRIMARY KEY,
    lease_until timestamptz NOT NULL,
    facts json NOT NULL
  );

  CREATE TABLE slipway.counter (
    name text PRIMARY KEY,
    value bigint NOT NULL DEFAULT 0
  );
  INSERT INTO slipway.counter (name) VALUES ('event'), ('audit'), ('keys');

  CREATE TABLE slipway.entry (
    journal text NOT NULL,
    id bigint NOT NULL,
    token uuid NOT NULL UNIQUE,
    data text NOT NULL,
    PRIMARY KEY (journal, id)
  );

  CREATE TABLE slipway.action (
    id uuid PRIMARY KEY,
    member uuid NOT NULL,
    facts json NOT NULL
  );

  CREATE TABLE slipway.keys (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    content text NOT NULL
  );

  CREATE UNLOGGED TABLE slipway.uses (
    name text NOT NULL,
    ends_at timestamptz NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (name, ends_at)
  );
  `,
  jobTables,
  idempotencyTables,
  webhookTables,
  switchTables,
  "ALTER TABLE slipway.session ADD COLUMN uploads json NOT NULL DEFAULT '[]'",
  outcomeTables,
  webhookFailures,
  idempotencyAttempts,
];

/** Grows with a change that older hosts could not work with. */
const major = 1;

/** In PostgreSQL's numbering: 15.0. */
export const oldestServer = 150_000;

/**
 * Brings the tables up to date, in the transaction of the connection; hosts that start at once wait for each other. Throws
 * an error with a sentence for admins when the server is too old, or the tables are those of a later Slipway.
 */
export async function migrate(connection: Connection): Promise<void> {
  const server = await connection.query<{ number: number; version: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
  );
  const { number = 0, version = "unknown" } = server.rows[0] ?? {};
  if (number < oldestServer)
    throw new Error(
      `The setting engine.url leads to PostgreSQL ${version}; Slipway needs version 15 or later.`,
    );
  const schema = await connection.query<{ isThere: boolean }>(
    `SELECT to_regnamespace('slipway') IS NOT NULL AS "isThere"`,
  );
  // Not by IF NOT EXISTS, which users without the right to make schemas may not use either.
  if (schema.rows[0]?.isThere !== true) await connection.query("CREATE SCHEMA slipway");
  await connection.query(
    "CREATE TABLE IF NOT EXISTS slipway.meta (one boolean PRIMARY KEY DEFAULT true CHECK (one), major integer NOT NULL, step integer NOT NULL)",
  );
  await connection.query(
    "INSERT INTO slipway.meta (major, step) VALUES ($1, 0) ON CONFLICT (one) DO NOTHING",
    [major],
  );
  const meta = await connection.query<{ major: number; step: number }>(
    "SELECT major, step FROM slipway.meta FOR UPDATE",
  );
  const state = meta.rows[0] ?? { major, step: 0 };
  if (state.major > major)
    throw new Error(
      "The tables of the engine were made by a later version of Slipway, which this one cannot work with: upgrade this host.",
    );
  for (const migration of migrations.slice(state.step)) await connection.query(migration);
  if (state.step < migrations.length)
    await connection.query("UPDATE slipway.meta SET step = $1", [migrations.length]);
}
