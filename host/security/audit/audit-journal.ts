import type { EntryJournal } from "../../observability/entry-journal.js";
import type { AuditEntry, AuditFacts } from "./audit-entry.js";

/** The beginning of an action. */
export interface AuditBeginning extends AuditFacts {
  time: string;
  /** Names the action until it has ended. */
  begun: string;
}

/** Entries of the audit trail, and the beginnings of unfinished actions. */
export interface AuditJournal extends EntryJournal<AuditEntry> {
  /** Reads the entries, and adds entries for actions that the end of their host interrupted. */
  open(): Promise<void>;
  /** Resolves to true if the beginning is stored. `isRequired`: if it fails now, it must not be stored later. */
  begin(beginning: AuditBeginning, isRequired: boolean): Promise<boolean>;
  /** `begun`: of the action that it ends. */
  add(entry: Omit<AuditEntry, "id">, begun?: string): Promise<boolean>;
}

/** The entry of an action that the end of its host interrupted. */
export function abandoned(facts: AuditFacts): Omit<AuditEntry, "id"> {
  return {
    ...facts,
    time: new Date().toISOString(),
    outcome: "failed",
    message: "The host ended before this was done.",
  };
}
