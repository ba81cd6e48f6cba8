import { randomUUID } from "node:crypto";
import { type Log, RequestError, type Static } from "@slipway/sdk";
import type { AuditConfiguration } from "../../configuration/observability-configuration.js";
import { FileJournal } from "../../observability/journal.js";
import { hostCheck } from "../../system/host-check.js";
import type { AuditEnd, AuditEntry, AuditFacts, AuditLine } from "./audit-entry.js";

export interface AuditTrailOptions {
  file: string;
  /** `required` may change at run time. */
  configuration: Static<typeof AuditConfiguration>;
  log: Log;
}

/** An action whose beginning is recorded. */
export interface Begun {
  /** Records the outcome; resolves when it is written. Never rejects. */
  end(end: AuditEnd): Promise<void>;
}

const checkLine = hostCheck<typeof AuditLine>("line", "audit-line");
const checkEntry = hostCheck<typeof AuditEntry>("entry", "audit-entry");

/**
 * The append-only record of changes. The beginning and the outcome of an action are each written before they take
 * effect, so that a host killed in between leaves a trace.
 */
export class AuditTrail {
  private readonly journal: FileJournal<AuditEntry, AuditLine>;

  constructor(private readonly options: AuditTrailOptions) {
    const { bytes, files } = options.configuration;
    this.journal = new FileJournal({
      file: options.file,
      check: checkLine,
      largest: bytes,
      older: files - 1,
      isSynced: true,
      capacity: 2000,
      log: options.log,
      messages: {
        unread: "The audit trail of earlier hosts cannot be read",
        unwritten: "The audit trail cannot be written",
        again: "The audit trail is written again",
      },
    });
  }

  /** Reads the entries of earlier hosts. An unreadable trail does not prevent the start and is not overwritten. */
  async open(): Promise<void> {
    const open = new Map<string, AuditLine>();
    for (const { begun, ...line } of await this.journal.read()) {
      const result = checkEntry(line);
      if (result.ok) this.journal.keep(result.value);
      if (begun === undefined) continue;
      if (result.ok) open.delete(begun);
      else open.set(begun, line);
    }
    for (const [begun, { time: _, ...facts }] of open)
      await this.add(facts, { outcome: "failed", message: "The host ended before this was done." }, begun);
  }

  /**
   * Records the beginning of an action. Rejects with 503 `audit-unavailable` when the record is required but cannot be
   * written.
   */
  async begin(facts: AuditFacts): Promise<Begun> {
    const begun = randomUUID();
    const isWritten = await this.journal.write({ time: now(), ...facts, begun });
    if (!isWritten && this.options.configuration.required) {
      // The action is not carried out, so its beginning is dropped.
      this.journal.withdraw((line) => line.begun === begun);
      throw unavailable();
    }
    return { end: (end) => this.add(facts, end, begun) };
  }

  /** Records a completed action; resolves when it is written. Never rejects. */
  async note(facts: AuditFacts & AuditEnd): Promise<void> {
    const { outcome, details, message, ...others } = facts;
    await this.add(others, { outcome, details, message });
  }

  list(query: { after?: number | undefined; limit: number }): AuditEntry[] {
    return this.journal.list(query);
  }

  /** Calls the listener for each later entry; returns a function that unsubscribes it. */
  follow(listener: () => void): () => void {
    return this.journal.follow(listener);
  }

  /** Writes the remaining lines if possible. */
  async close(): Promise<void> {
    await this.journal.close();
  }

  private async add(facts: AuditFacts, end: AuditEnd, begun?: string): Promise<void> {
    const { outcome, details, message } = end;
    const entry: AuditEntry = {
      id: this.journal.nextId,
      time: now(),
      ...facts,
      ...(details && { details }),
      outcome,
      ...(message !== undefined && { message }),
    };
    this.journal.keep(entry);
    await this.journal.write(begun === undefined ? entry : { ...entry, begun });
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
      "Nothing was changed, because the audit trail is not writable; see the log of the host. The setting audit.required allows changes without it.",
    headers: { "Retry-After": "60" },
  });
}
