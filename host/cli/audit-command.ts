import { Command } from "commander";
import { AuditEntries } from "../api/answers.js";
import { AuditEntry } from "../security/audit/audit-entry.js";
import { localTime, printable } from "../system/terminal-text.js";
import { feedCommand, shownHost } from "./feeds.js";
import { answerReader } from "./host-client.js";

const readEntry = answerReader(AuditEntry, "entry");
const readEntries = answerReader(AuditEntries);

/** `slipway audit`: the audit trail of a running host. */
export function auditCommand(): Command {
  return feedCommand(new Command("audit"), {
    path: "/api/audit",
    entries: (answer) => readEntries(answer).entries,
    entry: readEntry,
    line: shownEntry,
    follow: "follow new entries",
    help: `
Every order of an admin is an entry: who gave it, from where, and whether it was done, refused or failed. The host keeps them
in audit.jsonl below its folder var, several hosts in their database. Nothing is changed by looking.

Examples:
  $ slipway audit --limit 100
  $ slipway audit --follow --json`,
  });
}

/** Formats an entry as one line, with local time. */
function shownEntry(entry: AuditEntry): string {
  const { time, action, target, actor, outcome, details = {}, message, host } = entry;
  const asked = Object.entries(details).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const what = [action, target, asked.length === 0 ? undefined : `(${asked.join(", ")})`];
  const why = message === undefined ? "" : `: ${message}`;
  const told = what.filter((each) => each !== undefined).join(" ");
  return `${localTime(time)}  ${printable(`${told}, by ${actor}${shownHost(host)}, ${outcome}${why}`)}`;
}
