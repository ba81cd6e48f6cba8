import { randomBytes } from "node:crypto";
import { Validator } from "@slipway/sdk";
import {
  type IdempotencyStore,
  type KeyedRequest,
  type KeyTerms,
  type KnownRequest,
  refuseKeys,
} from "../../idempotency/idempotency-store.js";
import { StoredAnswer } from "../../jobs/stored-answer.js";
import { parsedJson } from "../../system/json.js";
import type { Database } from "./database.js";
import { later } from "./times.js";

const checkAnswer = new Validator({ lazy: true }).compile(StoredAnswer, "answer");

interface KeyRow {
  fingerprint: string;
  id: string;
  answer: string | null;
  isRunning: boolean;
}

/** Keys as rows. The clock of the database decides. */
export class PostgresqlIdempotencyStore implements IdempotencyStore {
  constructor(private readonly database: Database) {}

  async open(): Promise<void> {}

  begin({ name, fingerprint }: KeyedRequest, terms: KeyTerms): Promise<KnownRequest> {
    return this.database.transaction(async (connection) => {
      const gone = await connection.query(
        "DELETE FROM slipway.idempotency WHERE name = $1 AND expires_at <= now()",
        [name],
      );
      const id = randomBytes(18).toString("base64url");
      const added = await connection.query(
        `INSERT INTO slipway.idempotency (name, fingerprint, id, due_at, expires_at)
         VALUES ($1, $2, $3, ${later("$4")}, ${later("$5")}) ON CONFLICT (name) DO NOTHING`,
        [name, fingerprint, id, terms.lease, terms.lifetime],
      );
      if (added.rowCount === 1) {
        const change = 1 - (gone.rowCount ?? 0);
        const used = await connection.query<{ count: number }>(
          "UPDATE slipway.usage SET count = count + $1 WHERE kind = 'idempotency' RETURNING count::float8 AS count",
          [change],
        );
        refuseKeys((used.rows[0]?.count ?? 0) - change, terms);
        return { kind: "new", id };
      }
      const { rows } = await connection.query<KeyRow>(
        `SELECT fingerprint, id, answer, due_at > now() AS "isRunning"
         FROM slipway.idempotency WHERE name = $1 FOR UPDATE`,
        [name],
      );
      const [known] = rows;
      // Forgotten at this moment.
      if (known === undefined) return { kind: "running" };
      if (known.fingerprint !== fingerprint) return { kind: "different" };
      if (known.answer === null && known.isRunning) return { kind: "running" };
      if (known.answer !== null) return { kind: "answered", answer: answerOf(known.answer) };
      await connection.query(`UPDATE slipway.idempotency SET due_at = ${later("$2")} WHERE name = $1`, [
        name,
        terms.lease,
      ]);
      return { kind: "new", id: known.id };
    });
  }

  async finish(name: string, id: string, answer: StoredAnswer): Promise<void> {
    await this.database.read((connection) =>
      connection.query(
        "UPDATE slipway.idempotency SET answer = $3 WHERE name = $1 AND id = $2 AND answer IS NULL",
        [name, id, JSON.stringify(answer)],
      ),
    );
  }

  async forget(name: string, id: string): Promise<void> {
    await this.removeRows("name = $1 AND id = $2 AND answer IS NULL", [name, id]);
  }

  async removeExpired(): Promise<number> {
    return await this.removeRows("expires_at <= now()", []);
  }

  async close(): Promise<void> {}

  private async removeRows(which: string, values: readonly unknown[]): Promise<number> {
    const { rows } = await this.database.run((connection) =>
      connection.query<{ count: number }>(
        `WITH gone AS (DELETE FROM slipway.idempotency WHERE ${which} RETURNING name),
           sums AS (SELECT count(*) AS count FROM gone)
         UPDATE slipway.usage SET count = usage.count - sums.count
         FROM sums WHERE kind = 'idempotency' AND sums.count > 0 RETURNING sums.count::float8 AS count`,
        values,
      ),
    );
    return rows[0]?.count ?? 0;
  }
}

function answerOf(text: string): StoredAnswer {
  const result = checkAnswer(parsedJson(text));
  if (!result.ok) throw new Error("The stored answer of an idempotency key does not fit its schema");
  return result.value;
}
