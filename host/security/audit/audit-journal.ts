import type { EntryJournal } from "../../observability/entry-journal.js";
import type { AuditEntry, AuditFacts } from "./audit-entry.js";

/** The beginning of an action. */
export interface AuditBeginning extends AuditFacts {
  time: string;
  /** Names the action until it has ended. */
  begun: string;
}

/** Entries of the audit trail, and the beginnings of actions whose entry is not there yet. */
export interface AuditJournal extends EntryJournal<AuditEntry> {
  /** Reads the entries, and adds those of actions whose host ended before they were done. */
  open(): Promise<void>;
  /** Resolves with whether the beginning is stored. `isRequired`: one that is not stored now must not be stored later. */
  begin(beginning: AuditBeginning, isRequired: boolean): Promise<boolean>;
  /** `begun`: of the action that it ends. */
  add(entry: Omit<AuditEntry, "id">, begun?: string): Promise<boolean>;
}

/** The entry of an action whose host ended before it was done. */
export function abandoned(facts: AuditFacts): Omit<AuditEntry, "id"> {
  return {
    ...facts,
    time: new Date().toISOString(),
    outcome: "failed",
    message: "The host ended before this was done.",
  };
}
