import { randomUUID } from "node:crypto";
import { RequestError, type Static } from "@slipway/sdk";
import type { AuditConfiguration } from "../../configuration/observability-configuration.js";
import type { AuditEnd, AuditEntry, AuditFacts } from "./audit-entry.js";
import type { AuditJournal } from "./audit-journal.js";

export interface AuditTrailOptions {
  /** Keeps the entries. */
  journal: AuditJournal;
  /** May change at run time. */
  configuration: Pick<Static<typeof AuditConfiguration>, "required">;
}

/** An action whose beginning is recorded. */
export interface Begun {
  /** Records the outcome; resolves when it is written. Never rejects. */
  end(end: AuditEnd): Promise<void>;
}

/**
 * The append-only record of changes. The beginning and the outcome of an action are each written before they take
 * effect, so that a host killed in between leaves a trace.
 */
export class AuditTrail {
  constructor(private readonly options: AuditTrailOptions) {}

  /** Reads the entries of earlier hosts. */
  async open(): Promise<void> {
    await this.options.journal.open();
  }

  /**
   * Records the beginning of an action. Rejects with 503 `audit-unavailable` when the record is required but cannot be
   * written.
   */
  async begin(facts: AuditFacts): Promise<Begun> {
    const begun = randomUUID();
    const { journal, configuration } = this.options;
    const { required } = configuration;
    const isWritten = await journal.begin({ time: now(), ...facts, begun }, required);
    if (!isWritten && required) throw unavailable();
    return { end: (end) => this.add(facts, end, begun) };
  }

  /** Records a completed action; resolves when it is written. Never rejects. */
  async note(facts: AuditFacts & AuditEnd): Promise<void> {
    const { outcome, details, message, ...others } = facts;
    await this.add(others, { outcome, details, message });
  }

  list(query: { after?: number | undefined; limit: number }): AuditEntry[] {
    return this.options.journal.list(query);
  }

  /** Calls the listener for each later entry; returns a function that unsubscribes it. */
  follow(listener: () => void): () => void {
    return this.options.journal.follow(listener);
  }

  /** Writes the remaining lines if possible. */
  async close(): Promise<void> {
    await this.options.journal.close();
  }

  private async add(facts: AuditFacts, end: AuditEnd, begun?: string): Promise<void> {
    const { outcome, details, message } = end;
    const entry = {
      time: now(),
      ...facts,
      ...(details && { details }),
      outcome,
      ...(message !== undefined && { message }),
    };
    await this.options.journal.add(entry, begun);
  }
}

function now(): string {
  return new Date().toISOString();
}

function unavailable(): RequestError {
  return new RequestError({
    id: "audit-unavailable",
    code: 503,
    message:
      "Nothing was changed, because the host cannot write its audit trail; its log says why. The setting audit.required allows changes without it.",
    headers: { "Retry-After": "60" },
  });
}
