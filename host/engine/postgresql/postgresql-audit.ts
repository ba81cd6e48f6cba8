import type { AuditEntry, AuditFacts } from "../../security/audit/audit-entry.js";
import { type AuditJournal, abandoned } from "../../security/audit/audit-journal.js";
import { hostCheck } from "../../system/host-check.js";
import { logUnlessOutage } from "../../system/request-errors.js";
import { PostgresqlJournal, type PostgresqlJournalOptions } from "./postgresql-journal.js";

export interface PostgresqlAuditOptions
  extends Pick<
    PostgresqlJournalOptions<AuditEntry>,
    "database" | "counters" | "largest" | "hostName" | "log"
  > {
  /** The member id of this host. */
  memberId(): string;
}

const check = hostCheck<typeof AuditEntry>("entry", "audit-entry");
/** Milliseconds between checks for actions of lost hosts. */
const interval = 30_000;

/** The audit trail of all hosts. Another host ends the actions of a host that lost its lease. */
export class PostgresqlAudit extends PostgresqlJournal<AuditEntry> implements AuditJournal {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly own: PostgresqlAuditOptions) {
    super({
      ...own,
      name: "audit",
      check,
      messages: {
        unwritten: "The audit trail cannot be written",
        again: "The audit trail is written again",
      },
    });
  }

  override async open(): Promise<void> {
    await super.open();
    await this.endAbandoned();
    this.timer = setInterval(() => void this.endAbandoned(), interval).unref();
  }

  async begin({ begun, ...facts }: Parameters<AuditJournal["begin"]>[0]): Promise<boolean> {
    const { database, memberId, log } = this.own;
    try {
      await database.execute("INSERT INTO slipway.action (id, member, facts) VALUES ($1, $2, $3)", [
        begun,
        memberId(),
        JSON.stringify(facts),
      ]);
      return true;
    } catch (error) {
      logUnlessOutage(log, "The audit trail cannot be written", error);
      return false;
    }
  }

  override async close(): Promise<void> {
    clearInterval(this.timer);
    await super.close();
  }

  private async endAbandoned(): Promise<void> {
    const { database, log } = this.own;
    try {
      const { rows } = await database.query<{ id: string; facts: AuditFacts }>(
        `SELECT id, facts FROM slipway.action WHERE member NOT IN (
             SELECT id FROM slipway.member WHERE lease_until > clock_timestamp()
           ) LIMIT 100`,
      );
      // The first host wins: the token identifies the action.
      for (const { id, facts } of rows) await this.add(abandoned(facts), id, id);
    } catch (error) {
      logUnlessOutage(log, "The audit trail cannot be read", error);
    }
  }
}
