/** What the versions of one plugin are selected from: releases, contents and failed starts. */
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { Candidate, DeploymentContents, SourceCandidates } from "./candidates.js";
import { clearFailures, fail } from "./rollout.js";
import { failureOf } from "./rollout-state.js";
import { type Available, present } from "./selection.js";
import type { RememberedRollout } from "./state-file.js";

export class SelectionState {
  releases: readonly Release[] = [];
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

  /** A release by name; undefined when it no longer exists. */
  release(name: string): Release | undefined {
    return this.releases.find((each) => each.name === name);
  }

  /** The candidates of each source. Contents that are refused become "rejected". */
  admitSources(): SourceCandidates[] {
    return this.contents.admit(this.running());
  }

  /** The contents to choose from, admitted now. */
  available(): Available {
    const sources = this.admitSources();
    return {
      sources,
      failed: (hash) => this.failureOf(hash) !== undefined,
      known: (hash) => this.known(hash, sources),
    };
  }

  noteFailure(candidate: Candidate, reason: string): Promise<void> {
    this.untried.delete(candidate.snapshot.hash);
    return this.rollout.change((memory) => fail(memory, candidate, reason));
  }

  /** Called when the candidate has started. */
  clearFailures({ snapshot }: Candidate): Promise<void> {
    this.untried.delete(snapshot.hash);
    return this.clearFailed(({ hash }) => hash === snapshot.hash);
  }

  /** Lets contents be tried again whose start failed: all of them, or those of a version. */
  clearAllFailures(version: string | undefined): Promise<void> {
    return this.clearFailed((failed) => version === undefined || failed.version === version);
  }

  /** Clears the failures of removed contents, so that they can be tried again. */
  forgetRemoved(): Promise<void> {
    const { kept, pins } = this.rollout.current;
    const there = [...this.present().map(({ snapshot }) => snapshot), ...kept, ...Object.values(pins)];
    const hashes = new Set(there.map(({ hash }) => hash));
    return this.clearFailed(({ hash }) => !hashes.has(hash));
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

  /** Why the start of a content failed; undefined while it may be tried. */
  failureOf(hash: string): string | undefined {
    return this.untried.has(hash) ? undefined : failureOf(this.rollout.current, hash);
  }

  private clearFailed(isCleared: (failed: { version: string; hash: string }) => boolean): Promise<void> {
    return this.rollout.change((memory) => clearFailures(memory, this.rollout.name, isCleared));
  }

  /** The current contents of the sources. */
  present(): Candidate[] {
    return present({ sources: this.admitSources() });
  }

  private known(hash: string, sources: readonly SourceCandidates[]): Candidate | undefined {
    const near = [...this.running(), ...present({ sources })].find(({ snapshot }) => snapshot.hash === hash);
    if (near !== undefined) return near;
    const stored = this.stored(hash);
    const [first] = sources;
    return stored && first && this.contents.restored(stored, first.source);
  }
}
