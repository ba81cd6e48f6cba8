/** Selects the version of one plugin for each release. */

import type { Stage } from "../plugin-state.js";
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { Candidate, DeploymentContents, SourceCandidates } from "./candidates.js";
import { failureOf } from "./rollout-state.js";
import { type Available, fitting, idleStage, present, selectAll, substitutes } from "./selection.js";
import type { RememberedRollout } from "./state-file.js";

export class VersionSelection {
  private releases: readonly Release[] = [];
  /** Contents that failed to start under an earlier host and were not tried since. */
  private readonly untried: Set<string>;

  constructor(
    private readonly contents: DeploymentContents,
    private readonly rollout: RememberedRollout,
    private readonly stored: (hash: string) => Snapshot | undefined,
    private readonly running: () => Candidate[],
  ) {
    this.untried = new Set(rollout.current.failed?.map(({ hash }) => hash));
  }

  useReleases(releases: readonly Release[]): void {
    this.releases = releases;
  }

  /** A release by name; undefined when it no longer exists. */
  release(name: string): Release | undefined {
    return this.releases.find((each) => each.name === name);
  }

  get all(): readonly Release[] {
    return this.releases;
  }

  sources(): SourceCandidates[] {
    return this.contents.sources(this.running());
  }

  /** The selected candidates, by release. */
  chosen(): Map<string, Candidate> {
    return selectAll(this.releases, this.available(), this.rollout.current);
  }

  /** The contents to choose from. */
  available(): Available {
    const sources = this.sources();
    return {
      sources,
      failed: (hash) => this.failureOf(hash) !== undefined,
      known: (hash) => this.known(hash, sources),
    };
  }

  fitting(release: Release): Candidate[] {
    return fitting(release, this.available(), this.rollout.current);
  }

  /** Fallback targets of a release instead of a content, best first. */
  substitutes(name: string, without: string): Candidate[] {
    const release = this.release(name);
    return release === undefined ? [] : substitutes(release, without, this.available(), this.rollout.current);
  }

  noteFailure(candidate: Candidate, reason: string): Promise<void> {
    this.untried.delete(candidate.snapshot.hash);
    return this.rollout.fail(candidate, reason);
  }

  /** Called when the candidate has started. */
  clearFailures({ snapshot }: Candidate): Promise<void> {
    this.untried.delete(snapshot.hash);
    return this.rollout.clearFailures(({ hash }) => hash === snapshot.hash);
  }

  /** Lets contents be tried again whose start failed: all of them, or those of a version. */
  clearAllFailures(version: string | undefined): Promise<void> {
    return this.rollout.clearFailures((failed) => version === undefined || failed.version === version);
  }

  /** Clears the failures of removed contents, so that they can be tried again. */
  forgetRemoved(): Promise<void> {
    const { kept, pins } = this.rollout.current;
    const there = [...this.present().map(({ snapshot }) => snapshot), ...kept, ...Object.values(pins)];
    const hashes = new Set(there.map(({ hash }) => hash));
    return this.rollout.clearFailures(({ hash }) => !hashes.has(hash));
  }

  /**
   * Ends the retries of contents that failed under an earlier host; the remaining ones count as failed again. Returns
   * whether there were any.
   */
  endRetry(): boolean {
    const isAny = this.untried.size > 0;
    this.untried.clear();
    return isAny;
  }

  /** Whether a version is known. */
  knows(version: string): boolean {
    const { kept, quarantined } = this.rollout.current;
    const there = [...this.present().map(({ snapshot }) => snapshot), ...kept, ...quarantined];
    return there.some((each) => each.version === version);
  }

  /** Stage and reason of a candidate that does not run. */
  idleStage(candidate: Candidate): { stage: Stage; reason: string | undefined } {
    return idleStage(candidate, this.failureOf(candidate.snapshot.hash), this.rollout.current);
  }

  private failureOf(hash: string): string | undefined {
    return this.untried.has(hash) ? undefined : failureOf(this.rollout.current, hash);
  }

  private present(): Candidate[] {
    return present({ sources: this.sources() });
  }

  private known(hash: string, sources: readonly SourceCandidates[]): Candidate | undefined {
    const near = [...this.running(), ...present({ sources })].find(({ snapshot }) => snapshot.hash === hash);
    if (near !== undefined) return near;
    const stored = this.stored(hash);
    const [first] = sources;
    return stored && first && this.contents.restored(stored, first.source);
  }
}
