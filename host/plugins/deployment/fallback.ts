/** Falls back to the previous version of a plugin when one turns out to be unfit. */
import type { Log } from "@slipway/sdk";
import type { Journal } from "../../observability/events/plugin-event.js";
import type { Release } from "../releases.js";
import type { Candidates } from "./candidates.js";
import { type MemoryChange, quarantineOf, type RememberedRollout } from "./plugins-memory.js";
import { fallBack, quarantine } from "./rollout.js";
import { lost, type RunningVersion, type UnfitListener } from "./running-versions.js";
import { type Assignment, type Candidate, releasesOf, standingBy, substitutes } from "./selection.js";

/** The part of a plugin deployment that the fallback needs. */
export interface FallbackDeployment {
  readonly candidates: Candidates;
  readonly rollout: RememberedRollout;
  readonly assignment: Assignment<RunningVersion>;
  readonly isStopped: boolean;
  /** Moves releases to the standbys of a version at once and ends its trial. */
  restoreStandby(version: RunningVersion, to: ReadonlyMap<string, RunningVersion>): void;
  /** Starts a candidate unless it runs. Returns the reason when that fails. */
  ensureRunning(candidate: Candidate): Promise<string | undefined>;
  runExclusive<T>(task: () => Promise<T>): Promise<T>;
  reconcile(): Promise<void>;
  updateIdleStages(): void;
  /** Releases have fallen back; `transition` is remembered already. */
  fellBack(version: RunningVersion, to: ReadonlyMap<string, Candidate>, transition: MemoryChange): void;
}

export class Fallback implements UnfitListener {
  constructor(
    private readonly deployment: FallbackDeployment,
    private readonly journal: Journal,
    private readonly log: Log,
  ) {}

  /** A standby answers at once; any other version has to start first. */
  unfit(version: RunningVersion, reason: string): void {
    const { deployment } = this;
    const releases = deployment.isStopped ? [] : releasesOf(deployment.assignment, version);
    if (releases.length === 0) return;
    const standbys = standingBy(deployment.assignment, version, deployment.rollout.current);
    const isComplete = standbys.size === releases.length;
    const candidates = new Map([...standbys].map(([release, { candidate }]) => [release, candidate]));
    this.note(version, candidates, isComplete, reason);
    deployment.restoreStandby(version, standbys);
    const others = isComplete
      ? Promise.resolve()
      : deployment.runExclusive(() => this.startFallback(version, reason));
    this.disturbedBy(others.then(() => deployment.reconcile()));
  }

  /** The reason for a lost instance becomes known when its process has ended. */
  explained(version: RunningVersion): void {
    if (quarantineOf(this.deployment.rollout.current, version.snapshot)?.reason !== lost) return;
    const reason = withExplanation(version, lost);
    this.disturbedBy(
      this.deployment.rollout.change((memory, at) => quarantine(memory, version.candidate, reason, at)),
    );
    this.deployment.updateIdleStages();
  }

  /** A release without another version keeps this one, which is better than no answer. */
  private async startFallback(version: RunningVersion, reason: string): Promise<void> {
    const { deployment } = this;
    const found = new Map<string, Candidate>();
    for (const release of releasesOf(deployment.assignment, version)) {
      const substitute = await this.substitute(release, version);
      if (substitute !== undefined) found.set(release, substitute);
    }
    const releases = releasesOf(deployment.assignment, version);
    if (releases.length === 0 || deployment.isStopped) return;
    const to = new Map([...found].filter(([release]) => releases.includes(release)));
    this.note(version, to, to.size === releases.length, reason);
  }

  /** The first substitute that starts. */
  private async substitute(name: string, { snapshot }: RunningVersion): Promise<Candidate | undefined> {
    const { candidates, rollout } = this.deployment;
    const release = candidates.release(name);
    if (release === undefined) return undefined;
    for (const candidate of substitutes(release, snapshot.hash, candidates.available(), rollout.current))
      if ((await this.deployment.ensureRunning(candidate)) === undefined) return candidate;
    return undefined;
  }

  /** Records the fallback; `isComplete`: the version serves no release any more. */
  private note(
    from: RunningVersion,
    to: ReadonlyMap<string, Candidate>,
    isComplete: boolean,
    reason: string,
  ): void {
    const { candidates } = this.deployment;
    const targets = new Map<Release, Candidate>();
    for (const [name, candidate] of to) {
      const release = candidates.release(name);
      if (release !== undefined) targets.set(release, candidate);
    }
    const known = isComplete ? withExplanation(from, reason) : undefined;
    const available = candidates.available();
    const transition: MemoryChange = (memory, at) =>
      fallBack(memory, { from: from.candidate, to: targets, reason: known, available, at });
    this.disturbedBy(this.deployment.rollout.change(transition));
    this.deployment.fellBack(from, to, transition);
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

  private disturbedBy(change: Promise<void>): void {
    change.catch((error: unknown) => this.log.error("A plugin deployment could not be updated", { error }));
  }
}

function withExplanation({ explanation }: RunningVersion, reason: string): string {
  return reason === lost && explanation !== undefined ? `Its instance ended: ${explanation}.` : reason;
}
