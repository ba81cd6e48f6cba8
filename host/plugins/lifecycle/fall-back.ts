/** Watches the versions of one plugin, and puts what served before in the place of one that serves badly. */
import type { Log } from "@slipway/sdk";
import type { Candidate } from "./candidate.js";
import type { LineChoice } from "./line-choice.js";
import type { LineEvents } from "./line-events.js";
import type { RememberedStanding } from "./remembered-standing.js";
import type { Predecessors, RunningVersion } from "./running-version.js";
import type { VersionObserver } from "./supervised-plugin.js";

/** What falling back needs of the line of a plugin. */
export interface FallibleLine {
  readonly choice: LineChoice;
  readonly events: LineEvents;
  readonly isStopped: boolean;
  /** Releases that a version answers under. */
  releasesOf(version: RunningVersion): string[];
  /** Has releases answer with versions that run, at once. */
  switchBack(versions: Predecessors): void;
  /** Gives why it did not come up; undefined when it did. */
  bringUp(candidate: Candidate): Promise<string | undefined>;
  inTurn<T>(task: () => Promise<T>): Promise<T>;
  settle(): Promise<void>;
  noteIdle(): void;
}

const lost = "Its instance was lost.";

export class FallBack {
  constructor(
    private readonly line: FallibleLine,
    private readonly standing: RememberedStanding,
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

  /** What stands by answers at once; anything else has to come up first. */
  private fallBack(version: RunningVersion, reason: string): void {
    const { line } = this;
    const releases = line.isStopped ? [] : line.releasesOf(version);
    if (releases.length === 0) return;
    const trial = [...(version.endTrial() ?? [])].filter(([release]) => releases.includes(release));
    const standingBy = new Map(trial);
    const isComplete = standingBy.size === releases.length;
    if (isComplete) this.quarantine(version, reason);
    for (const [release, { candidate }] of standingBy) this.goBack(release, version, candidate, reason);
    if (standingBy.size > 0) line.switchBack(standingBy);
    const others = isComplete
      ? Promise.resolve()
      : line.inTurn(() => this.fallBackElsewhere(version, reason));
    this.disturbedBy(others.then(() => line.settle()));
  }

  /** A release without anything else keeps the version, which then is no worse than nothing. */
  private async fallBackElsewhere(version: RunningVersion, reason: string): Promise<void> {
    const { line } = this;
    const found = new Map<string, Candidate>();
    for (const release of line.releasesOf(version)) {
      const substitute = await this.substitute(release, version);
      if (substitute !== undefined) found.set(release, substitute);
    }
    const releases = line.releasesOf(version);
    if (releases.length === 0 || line.isStopped) return;
    if (releases.every((release) => found.has(release))) this.quarantine(version, reason);
    for (const [release, to] of found)
      if (releases.includes(release)) this.goBack(release, version, to, reason);
  }

  /** The first of those that could answer instead which comes up. */
  private async substitute(release: string, { plugin }: RunningVersion): Promise<Candidate | undefined> {
    for (const candidate of this.line.choice.substitutes(release, plugin.hash))
      if ((await this.line.bringUp(candidate)) === undefined) return candidate;
    return undefined;
  }

  private goBack(release: string, from: RunningVersion, to: Candidate, reason: string): void {
    this.line.events.rolledBack(release, from, to, reason);
    const { version, hash } = to.snapshot;
    if (this.line.choice.chosen().get(release)?.snapshot.hash === hash) return;
    this.disturbedBy(this.standing.pin(release, { version, hash, over: [from.plugin.hash], actor: "host" }));
  }

  private quarantine(version: RunningVersion, reason: string): void {
    const { explanation } = version;
    const known = reason === lost && explanation !== undefined ? ended(explanation) : reason;
    this.disturbedBy(this.standing.quarantine(version.candidate, known));
  }

  /** Why an instance was lost becomes known when its process is gone. */
  private explained(version: RunningVersion, reason: string): void {
    version.explanation = reason;
    const { hash } = version.plugin;
    if (this.standing.current.quarantined.find((each) => each.hash === hash)?.reason !== lost) return;
    this.disturbedBy(this.standing.quarantine(version.candidate, ended(reason)));
    this.line.noteIdle();
  }

  private disturbedBy(change: Promise<void>): void {
    change.catch((error: unknown) => this.log.error("The life of a plugin was disturbed", { error }));
  }
}

function ended(reason: string): string {
  return `Its instance ended: ${reason}.`;
}
