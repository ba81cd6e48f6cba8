/** Observes the versions of one plugin and falls back to the previous version when one fails. */
import type { Log } from "@slipway/sdk";
import type { Journal } from "../../observability/events/plugin-event.js";
import type { VersionObserver } from "../instances/supervised-plugin.js";
import type { Release } from "../releases.js";
import type { Candidate } from "./candidates.js";
import type { RunningVersion } from "./running-versions.js";
import type { RememberedRollout } from "./state-file.js";
import type { VersionSelection } from "./version-selection.js";

/** The part of a plugin deployment that the fallback needs. */
export interface FallbackDeployment {
  readonly selection: VersionSelection;
  readonly isStopped: boolean;
  releasesOf(version: RunningVersion): string[];
  /** The standbys of a version, by release that it serves. */
  standingBy(version: RunningVersion): Map<string, RunningVersion>;
  /** Moves releases to the standbys of a version at once and ends its trial. */
  restoreStandby(version: RunningVersion, to: ReadonlyMap<string, RunningVersion>): void;
  /** Returns the reason when the start fails. */
  bringUp(candidate: Candidate): Promise<string | undefined>;
  runExclusive<T>(task: () => Promise<T>): Promise<T>;
  reconcile(): Promise<void>;
  updateIdleStages(): void;
}

const lost = "Its instance was lost.";

export class Fallback {
  constructor(
    private readonly deployment: FallbackDeployment,
    private readonly rollout: RememberedRollout,
    private readonly journal: Journal,
    private readonly log: Log,
  ) {}

  observer(version: RunningVersion): VersionObserver {
    return {
      crashed: () => {
        if (version.crashed()) this.fallBack(version, lost);
      },
      explained: (reason) => this.explained(version, reason),
      answered: (failed) => {
        const reason = version.answered(failed);
        if (reason !== undefined) this.fallBack(version, reason);
      },
    };
  }

  /** A standby answers at once; any other version has to start first. */
  private fallBack(version: RunningVersion, reason: string): void {
    const { deployment } = this;
    const releases = deployment.isStopped ? [] : deployment.releasesOf(version);
    if (releases.length === 0) return;
    const standingBy = deployment.standingBy(version);
    const isComplete = standingBy.size === releases.length;
    const candidates = new Map([...standingBy].map(([release, { candidate }]) => [release, candidate]));
    this.note(version, candidates, isComplete, reason);
    deployment.restoreStandby(version, standingBy);
    const others = isComplete
      ? Promise.resolve()
      : deployment.runExclusive(() => this.startFallback(version, reason));
    this.disturbedBy(others.then(() => deployment.reconcile()));
  }

  /** A release without another version keeps this one, which is better than no answer. */
  private async startFallback(version: RunningVersion, reason: string): Promise<void> {
    const { deployment } = this;
    const found = new Map<string, Candidate>();
    for (const release of deployment.releasesOf(version)) {
      const substitute = await this.substitute(release, version);
      if (substitute !== undefined) found.set(release, substitute);
    }
    const releases = deployment.releasesOf(version);
    if (releases.length === 0 || deployment.isStopped) return;
    const to = new Map([...found].filter(([release]) => releases.includes(release)));
    this.note(version, to, to.size === releases.length, reason);
  }

  /** The first substitute that starts. */
  private async substitute(release: string, { snapshot }: RunningVersion): Promise<Candidate | undefined> {
    for (const candidate of this.deployment.selection.substitutes(release, snapshot.hash))
      if ((await this.deployment.bringUp(candidate)) === undefined) return candidate;
    return undefined;
  }

  /** Records the fallback; `isComplete`: the version serves no release any more. */
  private note(
    from: RunningVersion,
    to: ReadonlyMap<string, Candidate>,
    isComplete: boolean,
    reason: string,
  ): void {
    const { selection } = this.deployment;
    const targets = new Map<Release, Candidate>();
    for (const [name, candidate] of to) {
      const release = selection.release(name);
      if (release !== undefined) targets.set(release, candidate);
    }
    const known = isComplete ? explained(from, reason) : undefined;
    const available = selection.available();
    this.disturbedBy(this.rollout.fallBack({ from: from.candidate, to: targets, reason: known, available }));
    const { name: plugin, version, hash } = from.plugin;
    for (const [release, { snapshot }] of to)
      this.journal.note({
        kind: "rollback",
        plugin,
        version,
        hash,
        release,
        from: version,
        to: snapshot.version,
        reason,
        actor: "host",
      });
  }

  /** The reason for a lost instance becomes known when its process has ended. */
  private explained(version: RunningVersion, reason: string): void {
    version.explanation = reason;
    const { hash } = version.snapshot;
    if (this.rollout.current.quarantined.find((each) => each.hash === hash)?.reason !== lost) return;
    this.disturbedBy(this.rollout.quarantine(version.candidate, ended(reason)));
    this.deployment.updateIdleStages();
  }

  private disturbedBy(change: Promise<void>): void {
    change.catch((error: unknown) => this.log.error("A plugin deployment could not be updated", { error }));
  }
}

function explained({ explanation }: RunningVersion, reason: string): string {
  return reason === lost && explanation !== undefined ? ended(explanation) : reason;
}

function ended(reason: string): string {
  return `Its instance ended: ${reason}.`;
}
