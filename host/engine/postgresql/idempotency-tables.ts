/**
 * The migration for idempotency keys. `member` works on the request, which ends with its lease; empty for a failed request.
 */
export const idempotencyTables = `
  CREATE TABLE slipway.idempotency (
    name text PRIMARY KEY,
    fingerprint text NOT NULL,
    id text NOT NULL,
    member uuid,
    answer text,
    due_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX idempotency_expires_at ON slipway.idempotency (expires_at);

  INSERT INTO slipway.usage (kind) VALUES ('idempotency');
`;

/** The migration that numbers the attempts at a request. */
export const idempotencyAttempts = `
  ALTER TABLE slipway.idempotency ADD COLUMN attempt integer NOT NULL DEFAULT 1;
`;
