import type { Journal } from "../../observability/events/plugin-event.js";
import type { PartHealth } from "../../observability/health.js";
import type { AuditTrail } from "./audit-trail.js";

/** The outcome of the last configuration reload; changes are also in the audit trail. */
export class ConfigurationNotes {
  private refusal: string | undefined;
  private waiting: readonly string[] = [];

  constructor(
    private readonly journal: Journal,
    private readonly audit: AuditTrail,
  ) {}

  /** Changed releases are in force. */
  releasesInForce(names: readonly string[]): void {
    this.note("releases", "in force", `The releases are ${names.join(", ")}.`);
  }

  /** Changed settings are in force. */
  inForce(keys: readonly string[]): void {
    this.note("configuration", "in force", `Changed settings are in force: ${keys.join(", ")}.`);
  }

  /** It was refused as a whole; `reason` has no values, which may be secrets. */
  refused(reason: string): void {
    this.refusal = reason;
    this.note("releases", "refused", reason);
  }

  /** It was read; `waiting` are the keys of those changed settings that need a restart of the host. */
  read(waiting: readonly string[]): void {
    this.refusal = undefined;
    const isNew = waiting.join() !== this.waiting.join();
    this.waiting = waiting;
    if (isNew && waiting.length > 0) this.note("configuration", "waiting", needRestart(waiting));
  }

  /** For `/readyz`; problems here do not affect readiness. */
  health(): PartHealth {
    const waiting = this.waiting.length === 0 ? [] : [needRestart(this.waiting)];
    const problems = this.refusal === undefined ? waiting : [this.refusal, ...waiting];
    const detail =
      problems.length === 0 ? "Every setting is in force." : "The previous settings stay in force.";
    return { ready: true, detail, ...(problems.length === 0 ? {} : { problems }) };
  }

  private note(
    kind: "releases" | "configuration",
    to: "in force" | "refused" | "waiting",
    reason: string,
  ): void {
    const actor = "configuration";
    this.journal.note({ kind, to, reason, actor });
    if (to === "waiting") return;
    const outcome = to === "refused" ? "refused" : "done";
    void this.audit.note({ actor, action: "configuration.change", target: kind, outcome, message: reason });
  }
}

function needRestart(keys: readonly string[]): string {
  return `Changed settings need a restart of the host; until then they stay as they were: ${keys.join(", ")}.`;
}
