import type { Comparison } from "../../plugins/deployment/deployment.js";
import type { OutcomeStore } from "../../plugins/fleet/fleet.js";
import { engineUnavailable } from "../../system/request-errors.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import type { PostgresqlMembers } from "./postgresql-members.js";
import { assignedSources, lockedChange } from "./postgresql-switches.js";

/** Each host's observations of versions, as rows that are removed with its lease. */
export class PostgresqlOutcomes implements OutcomeStore {
  constructor(
    private readonly database: Database,
    private readonly members: Pick<PostgresqlMembers, "ownId">,
  ) {}

  async compare(plugin: string, source: string, { own, before }: Comparison): Promise<Comparison> {
    return await this.database.read(async (connection) => {
      // Separate statement: if two hosts report at once, the later one sees both reports. The condition on the assigned sources
      // keeps a host that does not know the latest agreement from restoring counts that the agreement has removed.
      await connection.query(
        `INSERT INTO slipway.outcome
           (member, plugin, source, answered, failed, answered_before, failed_before)
         SELECT id, $2, $3, $4, $5, $6, $7 FROM slipway.member
         WHERE id = $1 AND lease_until > clock_timestamp() AND $3 IN (${assignedSources("$2")})
         ON CONFLICT (member, plugin, source) DO UPDATE
         SET answered = excluded.answered, failed = excluded.failed,
           answered_before = excluded.answered_before, failed_before = excluded.failed_before`,
        [this.members.ownId, plugin, source, own.answered, own.failed, before.answered, before.failed],
      );
      const { rows } = await connection.query<Sums>(
        `SELECT coalesce(sum(answered), 0)::float8 AS answered, coalesce(sum(failed), 0)::float8 AS failed,
           coalesce(sum(answered_before), 0)::float8 AS "answeredBefore",
           coalesce(sum(failed_before), 0)::float8 AS "failedBefore"
         FROM slipway.outcome JOIN slipway.member ON member.id = outcome.member
         WHERE plugin = $1 AND source = $2 AND lease_until > clock_timestamp()`,
        [plugin, source],
      );
      const { answered = 0, failed = 0, answeredBefore = 0, failedBefore = 0 } = rows[0] ?? {};
      return { own: { answered, failed }, before: { answered: answeredBefore, failed: failedBefore } };
    });
  }

  async crashes(plugin: string, source: string, memory: number): Promise<boolean> {
    return await this.database.transaction(async (connection) => {
      // If two hosts report at once, the second one sees the first report.
      await lockedChange(connection);
      if (!(await this.noteCrashes(connection, plugin, source))) throw engineUnavailable();
      const { rows } = await connection.query<{ crashing: number; others: number }>(
        `SELECT count(*) FILTER (
             WHERE crashed_at > clock_timestamp() - $4 * interval '1 millisecond')::int AS crashing,
           count(*) FILTER (WHERE in_service AND id <> $1)::int AS others
         FROM slipway.member LEFT JOIN slipway.outcome
           ON outcome.member = member.id AND plugin = $2 AND source = $3
         WHERE lease_until > clock_timestamp()`,
        [this.members.ownId, plugin, source, memory],
      );
      const { crashing = 0, others = 0 } = rows[0] ?? {};
      return crashing > 1 || others === 0;
    });
  }

  /** False without a lease. */
  private async noteCrashes(connection: Connection, plugin: string, source: string): Promise<boolean> {
    const { rowCount } = await connection.query(
      `INSERT INTO slipway.outcome (member, plugin, source, crashed_at)
       SELECT id, $2, $3, clock_timestamp() FROM slipway.member
       WHERE id = $1 AND lease_until > clock_timestamp()
       ON CONFLICT (member, plugin, source) DO UPDATE SET crashed_at = excluded.crashed_at`,
      [this.members.ownId, plugin, source],
    );
    return rowCount === 1;
  }
}

interface Sums {
  answered: number;
  failed: number;
  answeredBefore: number;
  failedBefore: number;
}
