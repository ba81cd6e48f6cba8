import { randomBytes } from "node:crypto";
import { Validator } from "@slipway/sdk";
import {
  type BegunRequest,
  type IdempotencyStore,
  type KeyedRequest,
  type KeyTerms,
  type KnownRequest,
  refuseKeys,
} from "../../idempotency/idempotency-store.js";
import { StoredAnswer } from "../../jobs/jobs.js";
import { parsedJson } from "../../system/json.js";
import { wait } from "../../system/time.js";
import type { Database } from "./database.js";
import { later } from "./times.js";

const checkAnswer = new Validator({ lazy: true }).compile(StoredAnswer, "answer");

interface KeyRow {
  fingerprint: string;
  id: string;
  attempt: number;
  answer: string | null;
  isRunning: boolean;
  hasFailed: boolean;
}

/** Milliseconds for which the id of a failed request is kept, because its result may have been stored. */
const failedLifetime = 600_000;
/** Milliseconds between attempts after an outage of the engine. */
const retryPause = 500;

/** Keys as rows. The clock of the database decides. */
export class PostgresqlIdempotencyStore implements IdempotencyStore {
  /** Ended attempts that the engine has not stored yet, by the name of their key. */
  private readonly untold = new Map<string, number>();
  private readonly ending = new AbortController();
  private storing: Promise<void> | undefined;

  /** `memberId`: id of this host. */
  constructor(
    private readonly database: Database,
    private readonly memberId: () => string,
  ) {}

  async open(): Promise<void> {}

  begin({ name, fingerprint }: KeyedRequest, terms: KeyTerms): Promise<KnownRequest> {
    return this.database.transaction(async (connection) => {
      const gone = await connection.query(
        "DELETE FROM slipway.idempotency WHERE name = $1 AND expires_at <= now()",
        [name],
      );
      const fresh = randomBytes(18).toString("base64url");
      const values = [name, fingerprint, fresh, terms.lease, terms.lifetime, this.memberId()];
      const added = await connection.query(
        `INSERT INTO slipway.idempotency (name, fingerprint, id, due_at, expires_at, member)
         VALUES ($1, $2, $3, ${later("$4")}, ${later("$5")}, $6) ON CONFLICT (name) DO NOTHING`,
        values,
      );
      if (added.rowCount === 1) {
        const change = 1 - (gone.rowCount ?? 0);
        const used = await connection.query<{ count: number }>(
          "UPDATE slipway.usage SET count = count + $1 WHERE kind = 'idempotency' RETURNING count::float8 AS count",
          [change],
        );
        refuseKeys((used.rows[0]?.count ?? 0) - change, terms);
        return { kind: "new", id: fresh, attempt: 1 };
      }
      const { rows } = await connection.query<KeyRow>(
        `SELECT fingerprint, id, attempt, answer, member IS NULL AS "hasFailed", due_at > now() AND EXISTS (
           SELECT FROM slipway.member WHERE id = idempotency.member AND lease_until > clock_timestamp()
         ) AS "isRunning"
         FROM slipway.idempotency WHERE name = $1 FOR UPDATE`,
        [name],
      );
      const [known] = rows;
      // It expired just now.
      if (known === undefined) return { kind: "running" };
      const isSame = known.fingerprint === fingerprint;
      if (!isSame && !known.hasFailed) return { kind: "different" };
      if (known.answer === null && known.isRunning) return { kind: "running" };
      if (known.answer !== null) return { kind: "answered", answer: answerOf(known.answer) };
      const id = isSame ? known.id : fresh;
      const attempt = known.attempt + 1;
      await connection.query(
        `UPDATE slipway.idempotency SET fingerprint = $2, id = $3, due_at = ${later("$4")},
           expires_at = ${later("$5")}, member = $6, attempt = $7 WHERE name = $1`,
        [name, fingerprint, id, terms.lease, terms.lifetime, this.memberId(), attempt],
      );
      return { kind: "new", id, attempt };
    });
  }

  async finish(begun: BegunRequest, answer: StoredAnswer): Promise<void> {
    try {
      await this.database.query(
        "UPDATE slipway.idempotency SET answer = $3 WHERE name = $1 AND attempt = $2 AND answer IS NULL",
        [begun.name, begun.attempt, JSON.stringify(answer)],
      );
    } catch (error) {
      this.tellLater(begun);
      throw error;
    }
  }

  /** The same request gets the same id when it is sent again. */
  async forget(begun: BegunRequest): Promise<void> {
    try {
      await this.storeFailure(begun);
    } catch (error) {
      this.tellLater(begun);
      throw error;
    }
  }

  async removeExpired(): Promise<number> {
    const { rows } = await this.database.execute<{ count: number }>(
      `WITH gone AS (DELETE FROM slipway.idempotency WHERE expires_at <= now() RETURNING name),
           sums AS (SELECT count(*) AS count FROM gone)
         UPDATE slipway.usage SET count = usage.count - sums.count
         FROM sums WHERE kind = 'idempotency' AND sums.count > 0 RETURNING sums.count::float8 AS count`,
    );
    return rows[0]?.count ?? 0;
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.storing;
  }

  private async storeFailure({ name, attempt }: BegunRequest): Promise<void> {
    await this.database.query(
      `UPDATE slipway.idempotency SET member = NULL, expires_at = least(expires_at, ${later("$3")})
         WHERE name = $1 AND attempt = $2 AND answer IS NULL`,
      [name, attempt, failedLifetime],
    );
  }

  /** Otherwise a client that repeats its request would get "still running" for minutes. */
  private tellLater({ name, attempt }: BegunRequest): void {
    this.untold.set(name, attempt);
    this.storing ??= this.storeFailures().finally(() => {
      this.storing = undefined;
    });
  }

  private async storeFailures(): Promise<void> {
    const { signal } = this.ending;
    for (let [first] = this.untold; first !== undefined && !signal.aborted; [first] = this.untold) {
      const [name, attempt] = first;
      try {
        await this.storeFailure({ name, attempt });
        if (this.untold.get(name) === attempt) this.untold.delete(name);
      } catch {
        // `Availability` logs outages, and the end of this host's lease ends the request in any case.
        await wait(retryPause, signal);
      }
    }
  }
}

function answerOf(text: string): StoredAnswer {
  const result = checkAnswer(parsedJson(text));
  if (!result.ok) throw new Error("The stored answer of an idempotency key does not fit its schema");
  return result.value;
}
