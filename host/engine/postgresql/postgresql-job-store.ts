import { Validator } from "@slipway/sdk";
import type { RequestProgress } from "@slipway/sdk/runtime";
import {
  type ClaimedJob,
  type Job,
  type JobClaim,
  type JobEnd,
  type JobKinds,
  type JobState,
  type JobStore,
  type JobTerms,
  type JobUsage,
  type NewJob,
  type RequeueTerms,
  refuseExcess,
  StoredAnswer,
  type WebhookClaim,
  type WebhookOutcome,
} from "../../jobs/jobs.js";
import { parsedJson } from "../../system/json.js";
import { type Connection, only } from "./connection.js";
import { type Database, sweepLimit } from "./database.js";
import { type Notices, notice } from "./notices.js";
import { later, milliseconds } from "./times.js";

const checkAnswer = new Validator({ lazy: true }).compile(StoredAnswer, "answer");

/** The members of a job, without missing ones. */
const jobColumns = `json_strip_nulls(json_build_object(
    'id', job.id, 'state', job.state, 'attempt', job.attempt, 'failures', job.failures, 'host', job.host,
    'created', ${milliseconds("job.created_at")}, 'started', ${milliseconds("job.started_at")},
    'finished', ${milliseconds("job.finished_at")}, 'status', job.status,
    'webhook', CASE WHEN job.webhook_url IS NOT NULL THEN json_build_object(
      'url', job.webhook_url, 'signer', job.webhook_signer, 'state', job.webhook_state,
      'attempts', job.webhook_attempts, 'failures', job.webhook_failures, 'due', ${milliseconds("job.webhook_due_at")}, 'error', job.webhook_error
    ) END)) AS job,
  job.request, job.progress, job.error`;

interface JobRow {
  job: Omit<Job, "request" | "progress" | "error">;
  request: Job["request"];
  progress: RequestProgress | null;
  error: NonNullable<Job["error"]> | null;
}

/** Ended jobs that one statement removes, and jobs that one transaction ends. */
const removedAtOnce = 500;
const endedAtOnce = 100;

const hasEnded = "state NOT IN ('queued', 'running')";
const isWebhookOwed = `webhook_state IN ('waiting', 'sending') AND ${hasEnded}`;

const urgencies: Readonly<Record<JobKinds, readonly boolean[]>> = {
  urgent: [true],
  usual: [false],
  all: [true, false],
};

/** Of the attempt in $1 and $2. */
const held = "id = $1 AND attempt = $2 AND state = 'running'";

/**
 * Jobs as rows. The clock of the database decides. Workers of any host claim them without waiting for each other; the number of
 * the attempt is the fence.
 */
export class PostgresqlJobStore implements JobStore {
  constructor(
    private readonly database: Database,
    private readonly notices: Pick<Notices, "follow">,
  ) {}

  async open(): Promise<void> {}

  create({ id, request, body, webhook }: NewJob, terms: JobTerms): Promise<Job> {
    const bytes = Buffer.byteLength(body);
    return this.database.transaction(async (connection) => {
      const { rows } = await connection.query<JobRow>(
        `INSERT INTO slipway.job (id, state, request, bytes, client, urgent, created_at, due_at, expires_at,
           webhook_url, webhook_signer, webhook_state, webhook_due_at)
         VALUES ($1, 'queued', $2, $3, $5, $8, ${later()}, ${later()}, ${later("$4")},
           $6, $7, CASE WHEN $6::text IS NOT NULL THEN 'waiting' END, ${later()})
         ON CONFLICT (id) DO NOTHING RETURNING ${jobColumns}`,
        [
          id,
          JSON.stringify(request),
          bytes,
          terms.lifetime,
          request.client ?? "",
          webhook?.url ?? null,
          webhook?.signer ?? null,
          request.isUrgent === true,
        ],
      );
      const [row] = rows;
      if (row === undefined) return only(await findJobs(connection, "id = $1", [id]));
      if (body !== "") await insertContent(connection, id, "body", body);
      await takeRoom(connection, { client: request.client ?? "", bytes }, terms);
      return jobOf(row);
    });
  }

  async find(id: string): Promise<Job | undefined> {
    return (await this.database.read((connection) => findJobs(connection, "id = $1", [id])))[0];
  }

  async list({ state, limit }: { state?: JobState | undefined; limit: number }): Promise<Job[]> {
    const which = "($1::text IS NULL OR state = $1) ORDER BY number DESC LIMIT $2";
    return await this.database.read((connection) => findJobs(connection, which, [state ?? null, limit]));
  }

  async claim(host: string, lease: number, kinds: JobKinds = "all"): Promise<ClaimedJob | undefined> {
    // Not repeated after a lost connection: the lease of the first claim would run out without a worker.
    return await this.database.run(async (connection) => {
      const { rows } = await connection.query<JobRow & { body: string | null }>(
        `WITH first AS (
           SELECT id FROM slipway.job JOIN (
             SELECT client,
               (SELECT count(*) FROM slipway.job AS begun
                WHERE begun.state = 'running' AND begun.client = waiting.client) AS running,
               (SELECT max(started_at) FROM slipway.job AS begun WHERE begun.client = waiting.client) AS since
             FROM (SELECT DISTINCT client FROM slipway.job WHERE state = 'queued' AND due_at <= now()) AS waiting
           ) AS turn USING (client)
           WHERE state = 'queued' AND due_at <= now() AND urgent = ANY($3)
           ORDER BY urgent DESC, running, since NULLS FIRST, number LIMIT 1 FOR UPDATE OF job SKIP LOCKED
         )
         UPDATE slipway.job SET state = 'running', attempt = attempt + 1, host = $1, progress = NULL,
           started_at = ${later()}, due_at = ${later("$2")}
         FROM first WHERE job.id = first.id
         RETURNING ${jobColumns},
           (SELECT content FROM slipway.job_content WHERE job_content.job = job.id AND kind = 'body') AS body`,
        [host, lease, urgencies[kinds]],
      );
      const [row] = rows;
      return row && { job: jobOf(row), body: row.body ?? "" };
    });
  }

  async renew({ id, attempt }: JobClaim, lease: number, progress?: RequestProgress): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `UPDATE slipway.job SET due_at = ${later("$3")}, progress = coalesce($4, progress) WHERE ${held}`,
      [id, attempt, lease, progress === undefined ? null : JSON.stringify(progress)],
    );
    return rowCount === 1;
  }

  finish({ id, attempt }: JobClaim, end: JobEnd, lifetime: number): Promise<boolean> {
    return this.database.transaction(async (connection) => {
      // True also for a host that repeats the call because it got no response: its own answer counts.
      const before = await connection.query<{ isHeld: boolean }>(
        `SELECT state = 'running' AS "isHeld" FROM slipway.job WHERE id = $1 AND attempt = $2 AND (state = 'running' OR status IS NOT NULL) FOR UPDATE`,
        [id, attempt],
      );
      const [found] = before.rows;
      if (found?.isHeld === true) await endJob(connection, id, end, lifetime);
      return found !== undefined;
    });
  }

  async giveBack(
    { id, attempt }: JobClaim,
    { isFailure, delay }: { isFailure: boolean; delay: number },
  ): Promise<boolean> {
    return await this.database.run(async (connection) => {
      const { rowCount } = await connection.query(
        `UPDATE slipway.job SET state = 'queued', failures = failures + $3, progress = NULL, due_at = ${later("$4")}
         WHERE ${held}`,
        [id, attempt, isFailure ? 1 : 0, delay],
      );
      if (rowCount === 1 && delay === 0) await connection.query(`SELECT ${notice("job")}`);
      return rowCount === 1;
    });
  }

  cancel(id: string, lifetime: number): Promise<Job | undefined> {
    return this.database.transaction(async (connection) => {
      const { rows } = await connection.query<{ isOpen: boolean }>(
        `SELECT state IN ('queued', 'running') AS "isOpen" FROM slipway.job WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (rows[0]?.isOpen === true) await endJob(connection, id, undefined, lifetime);
      return (await findJobs(connection, "id = $1", [id]))[0];
    });
  }

  async requeue({ attempts, lifetime, end }: RequeueTerms): Promise<void> {
    const isLost = "state = 'running' AND due_at <= now()";
    const isLate = "state = 'queued' AND expires_at <= now()";
    const { rowCount } = await this.database.query(
      `SELECT FROM slipway.job WHERE (${isLost}) OR (${isLate}) LIMIT 1`,
    );
    if (rowCount === 0) return;
    await this.database.transaction(async (connection) => {
      const { rowCount: requeued } = await connection.query(
        `WITH lost AS (
           SELECT id FROM slipway.job WHERE ${isLost} AND failures + 1 < $1 FOR UPDATE SKIP LOCKED
         )
         UPDATE slipway.job SET state = 'queued', failures = failures + 1, progress = NULL, due_at = ${later()}
         FROM lost WHERE job.id = lost.id`,
        [attempts],
      );
      if (requeued !== 0) await connection.query(`SELECT ${notice("job")}`);
      const { rows } = await connection.query<Pick<Job, "id" | "state" | "request">>(
        `SELECT id, state, request FROM slipway.job WHERE (${isLost}) OR (${isLate})
         LIMIT ${endedAtOnce} FOR UPDATE SKIP LOCKED`,
      );
      for (const { id, state, request } of rows)
        await endJob(connection, id, end(state === "running" ? "attempts" : "wait", request), lifetime);
    }, sweepLimit);
  }

  async claimWebhook(lease: number, except: readonly string[]): Promise<Job | undefined> {
    return await this.database.run(async (connection) => {
      const { rows } = await connection.query<JobRow>(
        `WITH first AS (
           SELECT id FROM slipway.job WHERE ${isWebhookOwed} AND webhook_due_at <= now()
             AND split_part(webhook_url, '/', 3) <> ALL($2)
           ORDER BY webhook_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
         )
         UPDATE slipway.job SET webhook_state = 'sending', webhook_attempts = webhook_attempts + 1,
           webhook_due_at = ${later("$1")}
         FROM first WHERE job.id = first.id RETURNING ${jobColumns}`,
        [lease, except],
      );
      return rows[0] && jobOf(rows[0]);
    });
  }

  async settleWebhook({ id, attempts }: WebhookClaim, outcome: WebhookOutcome): Promise<boolean> {
    const error = outcome.state === "delivered" ? null : outcome.error;
    const { delay, isFailure } = outcome.state === "waiting" ? outcome : { delay: 0, isFailure: false };
    const { rowCount } = await this.database.execute(
      `UPDATE slipway.job SET webhook_state = $3, webhook_error = $4, webhook_due_at = ${later("$5")},
           webhook_failures = webhook_failures + $6
         WHERE id = $1 AND webhook_attempts = $2 AND webhook_state = 'sending'`,
      [id, attempts, outcome.state, error, delay, isFailure ? 1 : 0],
    );
    return rowCount === 1;
  }

  async answer(id: string): Promise<StoredAnswer | undefined> {
    const { rows } = await this.database.query<{ content: string }>(
      "SELECT content FROM slipway.job_content WHERE job = $1 AND kind = 'answer'",
      [id],
    );
    if (rows[0] === undefined) return undefined;
    const result = checkAnswer(parsedJson(rows[0].content));
    if (!result.ok) throw new Error("The stored answer of a job does not fit its schema");
    return result.value;
  }

  async remove(id: string): Promise<void> {
    await this.database.execute(
      `WITH gone AS (DELETE FROM slipway.job WHERE id = $1 AND ${hasEnded} RETURNING bytes)
         UPDATE slipway.usage SET count = usage.count - 1, bytes = usage.bytes - gone.bytes
         FROM gone WHERE kind = 'job'`,
      [id],
    );
  }

  async removeExpired(): Promise<number> {
    let removed = 0;
    for (;;) {
      const { rows } = await this.database.sweep<{ count: number }>(
        `WITH expired AS (
           SELECT id FROM slipway.job WHERE expires_at <= now() AND ${hasEnded}
             AND (webhook_state IS NULL OR webhook_state NOT IN ('waiting', 'sending'))
           LIMIT ${removedAtOnce} FOR UPDATE SKIP LOCKED
         ), gone AS (
           DELETE FROM slipway.job USING expired WHERE job.id = expired.id RETURNING job.bytes
         ), sums AS (
           SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM gone
         )
         UPDATE slipway.usage SET count = usage.count - sums.count, bytes = usage.bytes - sums.bytes
         FROM sums WHERE kind = 'job' AND sums.count > 0 RETURNING sums.count::float8 AS count`,
      );
      const count = rows[0]?.count ?? 0;
      removed += count;
      if (count < removedAtOnce) return removed;
    }
  }

  async usage(): Promise<JobUsage> {
    return await this.database.read(usageOf);
  }

  follow(what: "job" | "webhook", listener: () => void): () => void {
    return this.notices.follow(what, listener);
  }

  async close(): Promise<void> {}
}

function jobOf({ job, request, progress, error }: JobRow): Job {
  return { ...job, request, ...(progress !== null && { progress }), ...(error !== null && { error }) };
}

async function findJobs(connection: Connection, which: string, values: readonly unknown[]): Promise<Job[]> {
  const { rows } = await connection.query<JobRow>(
    `SELECT ${jobColumns} FROM slipway.job WHERE ${which}`,
    values,
  );
  return rows.map(jobOf);
}

async function insertContent(connection: Connection, id: string, kind: "body" | "answer", content: string) {
  await connection.query("INSERT INTO slipway.job_content (job, kind, content) VALUES ($1, $2, $3)", [
    id,
    kind,
    content,
  ]);
}

/** Ends a job that the transaction has locked, with an answer or, without one, as cancelled. */
async function endJob(
  connection: Connection,
  id: string,
  end: JobEnd | undefined,
  lifetime: number,
): Promise<void> {
  const content = end === undefined ? "" : JSON.stringify(end.answer);
  const bytes = Buffer.byteLength(content);
  await connection.query("DELETE FROM slipway.job_content WHERE job = $1", [id]);
  if (end !== undefined) await insertContent(connection, id, "answer", content);
  const error = end?.error === undefined ? null : JSON.stringify(end.error);
  await connection.query(
    `WITH before AS (SELECT id, bytes FROM slipway.job WHERE id = $1), ended AS (
       UPDATE slipway.job SET state = $2, status = $3, error = $4, bytes = $5, finished_at = ${later()},
         expires_at = ${later("$6")}
       FROM before WHERE job.id = before.id
       RETURNING job.bytes - before.bytes AS change, webhook_url IS NOT NULL AS "isTold"
     )
     UPDATE slipway.usage SET bytes = usage.bytes + ended.change FROM ended WHERE kind = 'job'
     RETURNING CASE WHEN ended."isTold" THEN ${notice("webhook")}::text END`,
    [id, end?.state ?? "cancelled", end?.answer.status ?? null, error, bytes, lifetime],
  );
}

async function usageOf(connection: Connection): Promise<JobUsage> {
  const { rows } = await connection.query<JobUsage>(
    `SELECT count::float8 AS jobs, bytes::float8 AS bytes,
       (SELECT count(*) FROM slipway.job WHERE state = 'queued')::float8 AS queued,
       (SELECT count(*) FROM slipway.job WHERE state = 'running')::float8 AS running,
       (SELECT count(*) FROM slipway.job WHERE ${isWebhookOwed})::float8 AS webhooks
     FROM slipway.usage WHERE kind = 'job'`,
  );
  return only(rows);
}

/** Counts a job that the transaction has inserted. Last in it, because all writers wait for this row. */
async function takeRoom(
  connection: Connection,
  { client, bytes }: { client: string; bytes: number },
  terms: JobTerms,
): Promise<void> {
  await connection.query("SELECT FROM slipway.usage WHERE kind = 'job' FOR UPDATE");
  // The new job is already waiting, but not counted yet.
  const { rows } = await connection.query<Parameters<typeof refuseExcess>[0]>(
    `SELECT count::float8 AS jobs, bytes::float8 AS bytes,
       (SELECT count(*) FROM slipway.job WHERE state = 'queued')::float8 - 1 AS queued,
       (SELECT count(*) FROM slipway.job WHERE state = 'queued' AND client = $1)::float8 - 1 AS "queuedOfClient"
     FROM slipway.usage WHERE kind = 'job'`,
    [client],
  );
  refuseExcess(only(rows), bytes, terms);
  await connection.query(
    `UPDATE slipway.usage SET count = count + 1, bytes = bytes + $1 WHERE kind = 'job' RETURNING ${notice("job")}`,
    [bytes],
  );
}
