import type { Journal } from "./events/plugin-event.js";
import type { PartHealth } from "./health.js";

/** What became of the configuration that was read last while the host runs. */
export class ConfigurationNotes {
  private refusal: string | undefined;
  private waiting: readonly string[] = [];

  constructor(private readonly journal: Journal) {}

  /** Changed settings are in force. */
  inForce(keys: readonly string[]): void {
    this.note("in force", `Changed settings are in force: ${keys.join(", ")}.`);
  }

  /** It was refused as a whole; `reason` has no values, which may be secrets. */
  refused(reason: string): void {
    this.refusal = reason;
    this.journal.note({ kind: "releases", to: "refused", reason, actor: "configuration" });
  }

  /** It was read; `waiting` are the keys of those changed settings that need a restart of the host. */
  read(waiting: readonly string[]): void {
    this.refusal = undefined;
    const isNew = waiting.join() !== this.waiting.join();
    this.waiting = waiting;
    if (isNew && waiting.length > 0) this.note("waiting", needRestart(waiting));
  }

  /** What `/readyz` says: neither keeps the host from serving. */
  health(): PartHealth {
    const waiting = this.waiting.length === 0 ? [] : [needRestart(this.waiting)];
    const problems = this.refusal === undefined ? waiting : [this.refusal, ...waiting];
    const detail =
      problems.length === 0 ? "Every setting is in force." : "The previous settings stay in force.";
    return { ready: true, detail, ...(problems.length === 0 ? {} : { problems }) };
  }

  private note(to: string, reason: string): void {
    this.journal.note({ kind: "configuration", to, reason, actor: "configuration" });
  }
}

function needRestart(keys: readonly string[]): string {
  return `Changed settings need a restart of the host; until then they stay as they were: ${keys.join(", ")}.`;
}
