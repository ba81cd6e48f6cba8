/** The input of the selection for one plugin: releases, candidates and failed starts. */

import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import { type Candidate, type CandidatePool, isNamed, type SourceCandidates } from "./candidates.js";
import { clearFailures, fail } from "./rollout.js";
import {
  type Agreement,
  failureOf,
  isQuarantined,
  noAgreement,
  type PluginsMemory,
  rolloutOf,
} from "./rollout-state.js";
import { type Available, firstOfEach, isFit, present, selectAll } from "./selection.js";
import type { RememberedRollout } from "./state-file.js";

export class SelectionState {
  releases: readonly Release[] = [];
  /** The agreement of a fleet. */
  agreement: Agreement = noAgreement;
  /** Hashes of snapshots that failed to start under an earlier host and were not tried since. */
  private readonly untried: Set<string>;

  constructor(
    private readonly contents: CandidatePool,
    private readonly rollout: RememberedRollout,
    private readonly stored: (id: string) => Snapshot | undefined,
    private readonly running: () => Candidate[],
    /** In a fleet: the source to show for versions of other hosts. */
    private readonly fleetSource: string | undefined,
  ) {
    this.untried = new Set(rollout.current.failed?.map(({ hash }) => hash));
  }

  /** A release by name; undefined when it no longer exists. */
  release(name: string): Release | undefined {
    return this.releases.find((each) => each.name === name);
  }

  /** The candidates of each source. Refused ones become "rejected". */
  admitSources(): SourceCandidates[] {
    return this.contents.admit(this.running());
  }

  /** The contents to choose from, admitted now. */
  available(): Available {
    const own = this.admitSources();
    const sources = [...own, ...this.agreedSources(own)];
    return {
      sources,
      failed: (hash) => this.failureOf(hash) !== undefined,
      known: (id) => this.known(id, sources),
    };
  }

  /** What releases would choose with another remembered state, and without what is in no folder any more. */
  chosen(memory: PluginsMemory, gone: readonly string[]): Map<string, Candidate> {
    const available = this.available();
    const sources = available.sources.filter(
      ({ current }) => current === undefined || !gone.includes(current.snapshot.sourceHash),
    );
    return selectAll(this.releases, { ...available, sources }, rolloutOf(memory, this.rollout.name));
  }

  noteFailure(candidate: Candidate, reason: string): Promise<void> {
    this.untried.delete(candidate.snapshot.hash);
    return this.rollout.change((memory) => fail(memory, candidate, reason));
  }

  /** A candidate by its source hash. */
  find(source: string): Candidate | undefined {
    return this.known(source, this.admitSources());
  }

  /** The agreed candidates by release, without those that do not start here. */
  agreed(): Map<string, Candidate> {
    const chosen = new Map<string, Candidate>();
    const { assignment } = this.agreement;
    for (const { name } of this.releases) {
      const source = Object.hasOwn(assignment, name) ? assignment[name]?.source : undefined;
      const candidate = source === undefined ? undefined : this.find(source);
      if (candidate !== undefined && this.failureOf(candidate.snapshot.hash) === undefined)
        chosen.set(name, candidate);
    }
    return chosen;
  }

  /** Whether the hosts have not agreed on a candidate yet. */
  isUndecided({ snapshot }: Candidate): boolean {
    if (this.fleetSource === undefined || isQuarantined(this.rollout.current, snapshot)) return false;
    return !this.agreement.contents.some(({ source }) => isNamed(source, snapshot));
  }

  /** What this host offers to the others: the newest candidate of each source that may serve. */
  offers(): Candidate[] {
    const failed = (hash: string): boolean => this.failureOf(hash) !== undefined;
    return firstOfEach(this.admitSources(), (each) => isFit(each, { failed }, this.rollout.current));
  }

  /** Source hashes of earlier contents that sound content has replaced in a folder. */
  replaced(): string[] {
    return this.admitSources().flatMap(({ current, earlier }) => {
      if (current === undefined || this.failureOf(current.snapshot.hash) !== undefined) return [];
      const { sourceHash: now } = current.snapshot;
      return earlier.map(({ snapshot }) => snapshot.sourceHash).filter((source) => source !== now);
    });
  }

  /** Called when the candidate has started. */
  clearFailures({ snapshot }: Candidate): Promise<void> {
    this.untried.delete(snapshot.hash);
    return this.clearFailed(({ hash }) => hash === snapshot.hash);
  }

  /** Forgets failed starts, so that they are tried again: all of them, or those of a version. */
  clearAllFailures(version: string | undefined): Promise<void> {
    return this.clearFailed((failed) => version === undefined || failed.version === version);
  }

  /** Clears the failures of removed contents, so that they can be tried again. */
  forgetRemoved(): Promise<void> {
    const { kept, pins } = this.rollout.current;
    const remembered = [...kept, ...Object.values(pins)].flatMap(({ hash }) => this.stored(hash) ?? []);
    const there = [...this.present().map(({ snapshot }) => snapshot), ...remembered];
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

  /** Why the start of a snapshot failed; undefined while it may be tried. */
  failureOf(hash: string): string | undefined {
    return this.untried.has(hash) ? undefined : failureOf(this.rollout.current, hash);
  }

  private clearFailed(isCleared: (failed: { version: string; hash: string }) => boolean): Promise<void> {
    return this.rollout.change((memory) => clearFailures(memory, this.rollout.name, isCleared));
  }

  /** The candidates of the sources, also for earlier contents. */
  present(): Candidate[] {
    return present({ sources: this.admitSources() });
  }

  private known(id: string, sources: readonly SourceCandidates[]): Candidate | undefined {
    const near = [...this.running(), ...present({ sources })].find(({ snapshot }) => isNamed(id, snapshot));
    if (near !== undefined) return near;
    const stored = this.stored(id);
    const source = this.fleetSource ?? sources[0]?.source;
    return stored && (source === undefined ? undefined : this.contents.restored(stored, source));
  }

  /** Versions of other hosts, as sources of this one. */
  private agreedSources(own: readonly SourceCandidates[]): SourceCandidates[] {
    if (this.fleetSource === undefined) return [];
    const here = present({ sources: own });
    return this.agreement.contents.flatMap(({ source: id }) => {
      if (here.some(({ snapshot }) => isNamed(id, snapshot))) return [];
      const current = this.known(id, own);
      return current === undefined ? [] : [{ source: current.source, current, earlier: [] }];
    });
  }
}
