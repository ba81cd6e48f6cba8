/**
 * The migration for jobs. `number` is their order in the queue. The answer is a separate row, because the job's row is written
 * several times.
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

/**
 * The migration for turns of clients, and for webhooks. `client` is empty for jobs of hosts that do not know it yet. A webhook is
 * due from the beginning, and sent once its job has ended, whichever host ends it.
 */
export const webhookTables = `
  ALTER TABLE slipway.job
    ADD COLUMN client text NOT NULL DEFAULT '',
    ADD COLUMN urgent boolean NOT NULL DEFAULT false,
    ADD COLUMN webhook_url text,
    ADD COLUMN webhook_signer text,
    ADD COLUMN webhook_state text,
    ADD COLUMN webhook_attempts integer NOT NULL DEFAULT 0,
    ADD COLUMN webhook_due_at timestamptz,
    ADD COLUMN webhook_error text;
  CREATE INDEX job_client ON slipway.job (client, started_at);
  CREATE INDEX job_webhook ON slipway.job (webhook_due_at) WHERE webhook_state IN ('waiting', 'sending');
  CREATE INDEX job_session ON slipway.job ((request->'session'->>'id')) WHERE state IN ('queued', 'running');

  CREATE TABLE slipway.webhook_secret (
    owner text PRIMARY KEY,
    secret text NOT NULL,
    previous text,
    previous_until timestamptz
  );
`;

/** The migration that tells attempts at a webhook that failed from those whose sender stopped or was lost. */
export const webhookFailures = `
  ALTER TABLE slipway.job ADD COLUMN webhook_failures integer NOT NULL DEFAULT 0;
`;
