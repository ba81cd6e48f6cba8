import type { Log, Static } from "@slipway/sdk";
import type { AuditConfiguration } from "../../configuration/observability-configuration.js";
import { FileJournal } from "../../observability/file-journal.js";
import { hostCheck } from "../../system/host-check.js";
import type { AuditEntry, AuditLine } from "./audit-entry.js";
import { type AuditJournal, abandoned } from "./audit-journal.js";

export interface AuditFileOptions {
  file: string;
  configuration: Pick<Static<typeof AuditConfiguration>, "bytes" | "files">;
  log: Log;
}

const checkLine = hostCheck<typeof AuditLine>("line", "audit-line");
const checkEntry = hostCheck<typeof AuditEntry>("entry", "audit-entry");

/** The audit trail in files of one host. A trail that cannot be read does not prevent the start and is not overwritten. */
export function createAuditFile({ file, configuration, log }: AuditFileOptions): AuditJournal {
  const journal = new FileJournal<AuditEntry, AuditLine>({
    file,
    check: checkLine,
    largest: configuration.bytes,
    older: configuration.files - 1,
    isSynced: true,
    capacity: 2000,
    log,
    messages: {
      unread: "The audit trail of earlier hosts cannot be read",
      unwritten: "The audit trail cannot be written",
      again: "The audit trail is written again",
    },
  });
  const add: AuditJournal["add"] = (facts, begun) => {
    const entry = { id: journal.nextId, ...facts };
    journal.keep(entry);
    return journal.pending.write(begun === undefined ? entry : { ...entry, begun });
  };
  return {
    async open() {
      const open = new Map<string, AuditLine>();
      for (const { begun, ...line } of await journal.read()) {
        const result = checkEntry(line);
        if (result.ok) journal.keep(result.value);
        if (begun === undefined) continue;
        if (result.ok) open.delete(begun);
        else open.set(begun, line);
      }
      for (const [begun, facts] of open) await add(abandoned(facts), begun);
    },
    async begin(beginning, isRequired) {
      const isWritten = await journal.pending.write(beginning);
      if (!isWritten && isRequired) journal.pending.withdraw(({ begun }) => begun === beginning.begun);
      return isWritten;
    },
    add,
    list: (query) => journal.list(query),
    follow: (listener) => journal.follow(listener),
    close: () => journal.pending.close(),
  };
}
