/**
 * The migration for jobs. `number` is their order in the queue; the answer is kept apart from the row, which is written several
 * times.
 */
export const jobTables = `
  CREATE TABLE slipway.job (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    state text NOT NULL,
    request json NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    progress json,
    host text,
    status integer,
    error json,
    bytes bigint NOT NULL,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz,
    due_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX job_queued ON slipway.job (number) WHERE state = 'queued';
  CREATE INDEX job_running ON slipway.job (due_at) WHERE state = 'running';
  CREATE INDEX job_number ON slipway.job (number);
  CREATE INDEX job_expires_at ON slipway.job (expires_at);

  CREATE TABLE slipway.job_content (
    job text NOT NULL REFERENCES slipway.job (id) ON DELETE CASCADE,
    kind text NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (job, kind)
  );

  INSERT INTO slipway.usage (kind) VALUES ('job');
`;
