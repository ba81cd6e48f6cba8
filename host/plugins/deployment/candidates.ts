/** The candidates of one plugin: what releases can choose from, and what failed to start. */
import { basename } from "node:path";
import type { PluginGrants } from "../../configuration/plugin-grants.js";
import type { GrantedPlugin } from "../../configuration/plugin-limits.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import { type MissingGrant, missingGrants, missingText } from "../permissions/permissions.js";
import { StateRecord } from "../plugin-state.js";
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import {
  type Agreement,
  failureOf,
  isNamed,
  isQuarantined,
  noAgreement,
  type PluginsMemory,
  type RememberedRollout,
  rolloutOf,
  type SnapshotId,
} from "./plugins-memory.js";
import { clearFailures, fail } from "./rollout.js";
import {
  type Available,
  type Candidate,
  firstOfEach,
  idleStage,
  isCurrent,
  isFit,
  keyOf,
  type PluginVersion,
  present,
  type SourceCandidates,
  selectAll,
} from "./selection.js";

/** The snapshots of one source for one plugin. */
export interface SourceSnapshots {
  readonly path: string;
  /** That of the last complete content; undefined without one, or when the source cannot be read. */
  readonly current: { snapshot: Snapshot; record: StateRecord } | undefined;
  /** Those of earlier contents: on trial first, then proven. */
  readonly earlier: readonly Snapshot[];
}

/** The snapshot that already has a name and version. */
interface Incumbent extends SnapshotId {
  readonly source: string;
  /** Whether it is the current content of its source. */
  readonly isCurrent: boolean;
}

interface CandidatesOptions {
  rollout: RememberedRollout;
  /** By source hash or hash. */
  stored(id: string): Snapshot | undefined;
  /** What a plugin is granted now. */
  grantsOf(plugin: GrantedPlugin): PluginGrants;
  /** Candidates that run and can serve. */
  running(): Candidate[];
  journal: Journal;
  /** Whether changed content may keep its version. */
  development: boolean;
  /** In a fleet: the source to show for versions of other hosts. */
  fleetSource: string | undefined;
}

/** A candidate keeps its identity while its content does not change. */
export class Candidates {
  releases: readonly Release[] = [];
  /** The agreement of a fleet. */
  agreement: Agreement = noAgreement;
  private contents: readonly SourceSnapshots[] = [];
  /** Records of snapshots whose source has changed. */
  private readonly records = new Map<string, StateRecord>();
  /** Hashes of snapshots that failed to start under an earlier host and were not tried since. */
  private readonly untried: Set<string>;
  /** By hash: why a snapshot without an agreement waits. */
  private readonly postponed = new Map<string, string>();

  constructor(private readonly options: CandidatesOptions) {
    this.untried = new Set(options.rollout.current.failed?.map(({ hash }) => hash));
  }

  /** Sets the snapshots of the sources and the releases. */
  update(contents: readonly SourceSnapshots[], releases: readonly Release[]): void {
    this.contents = contents;
    this.releases = releases;
  }

  /** Sets an agreement, which decides on all that waits. */
  agree(agreement: Agreement): void {
    this.agreement = agreement;
    this.postponed.clear();
  }

  /** Notes why this host will offer candidates to the others only later. */
  postpone(candidates: readonly Candidate[], reason: string): void {
    for (const { snapshot } of candidates) this.postponed.set(snapshot.hash, reason);
  }

  /** A release by name; undefined when it no longer exists. */
  release(name: string): Release | undefined {
    return this.releases.find((each) => each.name === name);
  }

  /**
   * Admits the contents of each source as candidates. A snapshot becomes "rejected" when another one has its name
   * and version; contents that run take precedence.
   */
  sources(): SourceCandidates[] {
    const running = this.options.running();
    const taken = this.incumbents(running);
    return this.contents.map(({ path, current: found, earlier: snapshots }) => {
      const earlier = snapshots.map((each) => this.restored(each, path));
      if (found === undefined) return { source: path, current: undefined, earlier };
      const { snapshot, record } = found;
      const incumbent = taken.get(snapshot.version);
      const candidate = { snapshot, record, source: path };
      const mayReplace = this.options.development && incumbent?.source === path;
      const reason = incumbent && !mayReplace ? refusal(candidate, incumbent) : undefined;
      if (reason !== undefined) {
        record.transition("rejected", reason);
        const stays = running.find((each) => each.source === path && each.snapshot.hash === incumbent?.hash);
        return { source: path, current: stays, earlier };
      }
      const { version, hash, sourceHash } = snapshot;
      taken.set(version, { hash, sourceHash, source: path, isCurrent: true });
      // A content that returns while it still runs keeps its candidate.
      const same = running.find((each) => keyOf(each) === keyOf(candidate));
      same?.record.update({ signedBy: snapshot.signedBy });
      return { source: path, current: same ?? candidate, earlier };
    });
  }

  /** The candidates of the sources, also for earlier contents. */
  present(): Candidate[] {
    return present({ sources: this.sources() });
  }

  /** Whether a version is the current content of its source. */
  isCurrent(version: PluginVersion): boolean {
    return isCurrent(version, this.sources());
  }

  /** The contents to choose from, admitted now. */
  available(): Available {
    const own = this.sources();
    const sources = [...own, ...this.agreedSources(own)];
    return {
      sources,
      failed: (hash) => this.isUnfit(hash),
      known: (id) => this.known(id, sources),
    };
  }

  /** The selected candidates, by release: those that the hosts of a fleet have agreed on, as far as they start here. */
  selected(): Map<string, Candidate> {
    if (this.options.fleetSource === undefined)
      return selectAll(this.releases, this.available(), this.options.rollout.current);
    const chosen = new Map<string, Candidate>();
    const { assignment } = this.agreement;
    for (const { name } of this.releases) {
      const source = Object.hasOwn(assignment, name) ? assignment[name]?.source : undefined;
      const candidate = source === undefined ? undefined : this.find(source);
      if (candidate !== undefined && !this.isUnfit(candidate.snapshot.hash)) chosen.set(name, candidate);
    }
    return chosen;
  }

  /** What releases would choose with another remembered state, and without what is in no folder any more. */
  chosen(memory: PluginsMemory, gone: readonly string[]): Map<string, Candidate> {
    const available = this.available();
    const sources = available.sources.filter(
      ({ current }) => current === undefined || !gone.includes(current.snapshot.sourceHash),
    );
    return selectAll(this.releases, { ...available, sources }, rolloutOf(memory, this.options.rollout.name));
  }

  /** A candidate by its source hash. */
  find(source: string): Candidate | undefined {
    return this.known(source, this.sources());
  }

  /** Whether the hosts have not agreed on a candidate yet. */
  isUndecided({ snapshot }: Candidate): boolean {
    const { fleetSource, rollout } = this.options;
    if (fleetSource === undefined || isQuarantined(rollout.current, snapshot)) return false;
    return !this.agreement.contents.some(({ source }) => isNamed(source, snapshot));
  }

  /** What this host offers to the others: the newest candidate of each source that may serve. */
  offers(): Candidate[] {
    const failed = (hash: string): boolean => this.isUnfit(hash);
    return firstOfEach(this.sources(), (each) => isFit(each, { failed }, this.options.rollout.current));
  }

  /** Source hashes of earlier contents that sound content has replaced in a folder. */
  replaced(): string[] {
    return this.sources().flatMap(({ current, earlier }) => {
      if (current === undefined || this.isUnfit(current.snapshot.hash)) return [];
      const { sourceHash: now } = current.snapshot;
      return earlier.map(({ snapshot }) => snapshot.sourceHash).filter((source) => source !== now);
    });
  }

  /** What a version asks for beyond its grants. */
  missingGrants({ permissions, ...plugin }: Snapshot): MissingGrant[] {
    return missingGrants(permissions, this.options.grantsOf(plugin));
  }

  /** Whether a snapshot failed to start, or asks for more than it is granted. */
  private isUnfit(hash: string): boolean {
    if (this.failureOf(hash) !== undefined) return true;
    const snapshot = this.options.stored(hash);
    return snapshot !== undefined && this.missingGrants(snapshot).length > 0;
  }

  /** Why the start of a snapshot failed; undefined while it may be tried. */
  failureOf(hash: string): string | undefined {
    return this.untried.has(hash) ? undefined : failureOf(this.options.rollout.current, hash);
  }

  noteFailure(candidate: Candidate, reason: string): Promise<void> {
    this.untried.delete(candidate.snapshot.hash);
    return this.options.rollout.change((memory) => fail(memory, candidate, reason));
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
  private forgetRemoved(): Promise<void> {
    const { rollout, stored } = this.options;
    const { kept, pins } = rollout.current;
    const remembered = [...kept, ...Object.values(pins)].flatMap(({ hash }) => stored(hash) ?? []);
    const there = [...this.present().map(({ snapshot }) => snapshot), ...remembered];
    const hashes = new Set(there.map(({ hash }) => hash));
    return this.clearFailed(({ hash }) => !hashes.has(hash));
  }

  private clearFailed(isCleared: (failed: { version: string; hash: string }) => boolean): Promise<void> {
    const { rollout } = this.options;
    return rollout.change((memory) => clearFailures(memory, rollout.name, isCleared));
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
    const { kept, quarantined } = this.options.rollout.current;
    const there = [...this.present().map(({ snapshot }) => snapshot), ...kept, ...quarantined];
    return there.some((each) => each.version === version);
  }

  /**
   * Updates stage and reason of candidates without a process; `busy` are the records of the others. Rejects when what is forgotten
   * of removed contents cannot be written.
   */
  updateIdleStages(busy: Set<StateRecord>): Promise<void> {
    const forgotten = this.forgetRemoved();
    const sources = this.sources();
    for (const { current } of sources) {
      if (current === undefined) continue;
      const missing = this.missingGrants(current.snapshot);
      current.record.update({ missingGrants: missing });
      if (busy.has(current.record)) continue;
      const { hash } = current.snapshot;
      const failure = this.failureOf(hash);
      if (failure === undefined && this.isUndecided(current)) {
        const reason = this.postponed.get(hash);
        if (reason !== undefined) current.record.update({ reason });
        continue;
      }
      const ungranted = missing.length === 0 ? undefined : missingText(missing);
      const { stage, reason } = idleStage(current, { failure, ungranted }, this.options.rollout.current);
      current.record.transition(stage, reason);
    }
    for (const { earlier } of sources) for (const { record } of earlier) busy.add(record);
    for (const [key, record] of this.records) if (!busy.has(record)) this.records.delete(key);
    return forgotten;
  }

  private known(id: string, sources: readonly SourceCandidates[]): Candidate | undefined {
    const { running, stored, fleetSource } = this.options;
    const near = [...running(), ...present({ sources })].find(({ snapshot }) => isNamed(id, snapshot));
    if (near !== undefined) return near;
    const found = stored(id);
    const source = fleetSource ?? sources[0]?.source;
    return found && (source === undefined ? undefined : this.restored(found, source));
  }

  /** Versions of other hosts, as sources of this one. */
  private agreedSources(own: readonly SourceCandidates[]): SourceCandidates[] {
    if (this.options.fleetSource === undefined) return [];
    const here = present({ sources: own });
    return this.agreement.contents.flatMap(({ source: id }) => {
      if (here.some(({ snapshot }) => isNamed(id, snapshot))) return [];
      const current = this.known(id, own);
      return current === undefined ? [] : [{ source: current.source, current, earlier: [] }];
    });
  }

  /** A candidate for a stored snapshot. */
  private restored(snapshot: Snapshot, source: string): Candidate {
    const key = keyOf({ snapshot, source });
    const record = this.records.get(key) ?? new StateRecord(source, this.options.journal);
    this.records.set(key, record);
    const { name, version, hash, signedBy, assets, permissions } = snapshot;
    record.update({ name, version, hash, signedBy, assets, permissions });
    return { snapshot, record, source };
  }

  /** By version. Running contents whose source is gone do not count. */
  private incumbents(running: readonly Candidate[]): Map<string, Incumbent> {
    const taken = new Map<string, Incumbent>();
    const take = ({ version, hash, sourceHash }: Snapshot, source: string): void => {
      if (taken.has(version)) return;
      const isCurrent = this.contents.some(
        ({ path, current }) => path === source && current?.snapshot.hash === hash,
      );
      taken.set(version, { hash, sourceHash, source, isCurrent });
    };
    for (const { snapshot, source } of running) {
      if (this.contents.some(({ path }) => path === source)) take(snapshot, source);
    }
    for (const { path, earlier } of this.contents) for (const each of earlier) take(each, path);
    return taken;
  }
}

/**
 * Why a content is refused: another content has its name and version, or another source has the same content. Two
 * contents (by the plugin's own files) under one version are refused because the version would no longer identify the
 * code. Admins read the message, so it contains no paths.
 */
function refusal({ snapshot, source }: Candidate, incumbent: Incumbent): string | undefined {
  const label = `${snapshot.name}@${snapshot.version}`;
  if (incumbent.sourceHash !== snapshot.sourceHash) {
    const origin =
      incumbent.source === source ? "which was here before" : `from ${basename(incumbent.source)}`;
    return (
      `There is different content with the name and version ${label}, ${origin}; that is kept. Its hash is ${incumbent.hash}, ` +
      `that of the new content ${snapshot.hash}. Changed content needs a new version number.`
    );
  }
  if (incumbent.source === source || !incumbent.isCurrent) return undefined;
  return `The same ${label} is already taken from ${basename(incumbent.source)}.`;
}
