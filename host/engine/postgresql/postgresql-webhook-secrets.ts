import { newWebhookSecret, secretOverlap, type WebhookSecrets } from "../../jobs/jobs.js";
import type { Database } from "./database.js";
import { later } from "./times.js";

/** Secrets as rows; the clock of the database decides. */
export class PostgresqlWebhookSecrets implements WebhookSecrets {
  constructor(private readonly database: Database) {}

  async open(): Promise<void> {}

  async inForce(signer: string): Promise<string[]> {
    return await this.database.read(async (connection) => {
      const find = () =>
        connection.query<{ secret: string; previous: string | null }>(
          `SELECT secret, CASE WHEN previous_until > now() THEN previous END AS previous
           FROM slipway.webhook_secret WHERE owner = $1`,
          [signer],
        );
      const known = await find();
      if (known.rows.length === 0)
        // Concurrent hosts agree on one.
        await connection.query(
          "INSERT INTO slipway.webhook_secret (owner, secret) VALUES ($1, $2) ON CONFLICT (owner) DO NOTHING",
          [signer, newWebhookSecret()],
        );
      const { rows } = known.rows.length === 0 ? await find() : known;
      return rows.flatMap(({ secret, previous }) => (previous === null ? [secret] : [secret, previous]));
    });
  }

  async rotate(signer: string): Promise<void> {
    await this.database.execute(
      `INSERT INTO slipway.webhook_secret (owner, secret) VALUES ($1, $2)
         ON CONFLICT (owner) DO UPDATE SET secret = excluded.secret, previous = webhook_secret.secret,
           previous_until = ${later("$3")}`,
      [signer, newWebhookSecret(), secretOverlap],
    );
  }
}
