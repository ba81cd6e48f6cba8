import type { EventFacts, Journal } from "../../observability/events/plugin-event.js";
import type { Candidate } from "./candidates.js";
import type { RunningVersion } from "./running-versions.js";

/** What happens to one plugin without somebody having wanted it, as events. */
export class DeploymentEvents {
  constructor(
    private readonly name: string,
    private readonly journal: Journal,
  ) {}

  /** A release answers with another version, or with none any more. */
  switched(release: string, from: RunningVersion | undefined, to: RunningVersion | undefined): void {
    const versions = {
      ...(from === undefined ? {} : { from: from.plugin.version }),
      ...(to === undefined ? {} : { to: to.plugin.version }),
    };
    this.note("switch", { release, ...versions }, to ?? from);
  }

  /** A release falls back. */
  rolledBack(release: string, from: RunningVersion, { snapshot }: Candidate, reason: string): void {
    this.note("rollback", { release, from: from.plugin.version, to: snapshot.version, reason }, from);
  }

  private note(
    kind: EventFacts["kind"],
    facts: Omit<EventFacts, "kind" | "actor">,
    version: RunningVersion | undefined,
  ): void {
    const about = version && { version: version.plugin.version, hash: version.plugin.hash };
    this.journal.note({ kind, plugin: this.name, ...about, ...facts, actor: "host" });
  }
}
