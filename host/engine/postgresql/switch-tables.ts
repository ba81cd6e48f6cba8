/**
 * The migration for switches of plugins. `line` is the agreement in force, `switch` its history; observations of hosts are removed
 * with their lease. Each change increases `counter`, whose row it locks.
 */
export const switchTables = `
  ALTER TABLE slipway.member ADD COLUMN in_service boolean NOT NULL DEFAULT false;

  CREATE TABLE slipway.line (
    plugin text PRIMARY KEY,
    generation bigint NOT NULL DEFAULT 0,
    last bigint NOT NULL DEFAULT 0,
    content json
  );

  CREATE TABLE slipway.switch (
    plugin text NOT NULL REFERENCES slipway.line (plugin),
    generation bigint NOT NULL,
    state text NOT NULL,
    content json NOT NULL,
    host text NOT NULL,
    is_forced boolean NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    deadline timestamptz NOT NULL,
    reason text,
    PRIMARY KEY (plugin, generation)
  );
  CREATE UNIQUE INDEX switch_open ON slipway.switch (plugin) WHERE state = 'preparing';

  CREATE TABLE slipway.observed (
    member uuid NOT NULL REFERENCES slipway.member (id) ON DELETE CASCADE,
    plugin text NOT NULL,
    voted bigint NOT NULL DEFAULT 0,
    refusal text,
    serving bigint NOT NULL DEFAULT 0,
    held text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (member, plugin)
  );

  CREATE TABLE slipway.archive (
    plugin text NOT NULL,
    source text NOT NULL,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (plugin, source)
  );

  CREATE TABLE slipway.archive_chunk (
    plugin text NOT NULL,
    source text NOT NULL,
    n integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (plugin, source, n),
    FOREIGN KEY (plugin, source) REFERENCES slipway.archive ON DELETE CASCADE
  );
  ALTER TABLE slipway.archive_chunk ALTER COLUMN data SET STORAGE EXTERNAL;

  INSERT INTO slipway.counter (name) VALUES ('switch');
`;

/**
 * The migration for causes of ended switches, observations of serving versions, and hashes of archives. Hosts of earlier versions
 * write none of them.
 */
export const outcomeTables = `
  ALTER TABLE slipway.switch ADD COLUMN cause text;
  ALTER TABLE slipway.observed ADD COLUMN refuses_content boolean NOT NULL DEFAULT true;
  ALTER TABLE slipway.archive ADD COLUMN sha256 text;

  CREATE TABLE slipway.outcome (
    member uuid NOT NULL REFERENCES slipway.member (id) ON DELETE CASCADE,
    plugin text NOT NULL,
    source text NOT NULL,
    answered bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    answered_before bigint NOT NULL DEFAULT 0,
    failed_before bigint NOT NULL DEFAULT 0,
    crashed_at timestamptz,
    PRIMARY KEY (member, plugin, source)
  );
`;
