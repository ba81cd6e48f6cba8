import { randomUUID } from "node:crypto";
import { type Log, RequestError, type Static, Validator } from "@slipway/sdk";
import type { AuditConfiguration } from "../../configuration/observability-configuration.js";
import { JsonLineFile } from "../../system/json-line-file.js";
import { RecentEntries } from "../../system/recent-entries.js";
import { type AuditEnd, AuditEntry, type AuditFacts, AuditLine } from "./audit-entry.js";

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

const validator = new Validator({ lazy: true });
const checkLine = validator.compile(AuditLine, "line");
const checkEntry = validator.compile(AuditEntry, "entry");

const capacity = 2000;

/**
 * The append-only record of changes. The beginning and the outcome of an action are each written before they take
 * effect, so that a host killed in between leaves a trace.
 */
export class AuditTrail {
  private readonly file: JsonLineFile<AuditLine>;
  private readonly recent = new RecentEntries<AuditEntry>(capacity);
  /** Lines still to be written, oldest first. */
  private unwritten: AuditLine[] = [];
  private lastId = 0;
  private turn: Promise<void> = Promise.resolve();
  private isFailing = false;

  constructor(private readonly options: AuditTrailOptions) {
    const { bytes, files } = options.configuration;
    this.file = new JsonLineFile({
      file: options.file,
      check: checkLine,
      largest: bytes,
      older: files - 1,
      isSynced: true,
    });
  }

  /** Reads the entries of earlier hosts. An unreadable trail does not prevent the start and is not overwritten. */
  async open(): Promise<void> {
    const { log, file } = this.options;
    const lines = await this.file.read(capacity).catch((error: unknown) => {
      log.error("The audit trail of earlier hosts cannot be read", { file, error });
      return [];
    });
    const open = new Map<string, AuditLine>();
    for (const { begun, ...line } of lines) {
      const result = checkEntry(line);
      if (result.ok && result.value.id > this.lastId) this.keep(result.value);
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
    const isWritten = await this.write({ time: now(), ...facts, begun });
    if (!isWritten && this.options.configuration.required) {
      // The action is not carried out, so its beginning is dropped.
      this.unwritten = this.unwritten.filter((line) => line.begun !== begun);
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
    return this.recent.list(query);
  }

  /** Calls the listener for each later entry; returns a function that unsubscribes it. */
  follow(listener: () => void): () => void {
    return this.recent.follow(listener);
  }

  /** Writes the remaining lines if possible. */
  async close(): Promise<void> {
    await this.turn;
    if (this.unwritten.length > 0) await this.write();
  }

  private async add(facts: AuditFacts, end: AuditEnd, begun?: string): Promise<void> {
    const { outcome, details, message } = end;
    const entry: AuditEntry = {
      id: this.lastId + 1,
      time: now(),
      ...facts,
      ...(details && { details }),
      outcome,
      ...(message !== undefined && { message }),
    };
    this.keep(entry);
    await this.write(begun === undefined ? entry : { ...entry, begun });
  }

  private keep(entry: AuditEntry): void {
    this.lastId = entry.id;
    this.recent.add(entry);
  }

  /** Appends in order, including earlier failed lines; returns whether this line is written. */
  private write(line?: AuditLine): Promise<boolean> {
    if (line !== undefined) this.unwritten.push(line);
    const written = this.turn.then(() => this.append());
    this.turn = written.then(() => undefined);
    return written;
  }

  private async append(): Promise<boolean> {
    const lines = this.unwritten;
    if (lines.length === 0) return true;
    this.unwritten = [];
    try {
      await this.file.append(lines);
      if (this.isFailing) this.options.log.info("The audit trail is written again");
      this.isFailing = false;
      return true;
    } catch (error) {
      // Drops the oldest lines while the file cannot be written.
      this.unwritten = [...lines, ...this.unwritten].slice(-capacity);
      if (!this.isFailing)
        this.options.log.error("The audit trail cannot be written", { file: this.options.file, error });
      this.isFailing = true;
      return false;
    }
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
