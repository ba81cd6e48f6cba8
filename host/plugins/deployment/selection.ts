/**
 * Which version serves each release, without side effects: a candidate is selected for it, and the assignment of the running
 * versions changes to what is selected.
 */
import semver from "semver";
import type { Stage, StateRecord } from "../plugin-state.js";
import type { Release, Versioned } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import {
  isAmong,
  isProven,
  isQuarantined,
  isReleased,
  leftIn,
  pinnedFor,
  quarantineOf,
  type RolloutState,
  replacedIn,
  type SnapshotId,
} from "./plugins-memory.js";

/** A plugin version as functions without side effects see it. */
export interface PluginVersion {
  readonly snapshot: Versioned & SnapshotId;
  /** Path of the source in a drop-in folder. */
  readonly source: string;
}

/** A version that can be started. */
export interface Candidate extends PluginVersion {
  readonly snapshot: Snapshot;
  readonly record: StateRecord;
}

/** The candidates of one source. */
export interface SourceCandidates<C extends PluginVersion = Candidate> {
  readonly source: string;
  readonly current: C | undefined;
  /** Earlier contents of the source, as fallbacks for the current one: on trial first, then proven. */
  readonly earlier: readonly C[];
}

/** Equal for the same snapshot of the same source. */
export function keyOf({
  snapshot,
  source,
}: Pick<PluginVersion, "source"> & { snapshot: { hash: string } }): string {
  return `${snapshot.hash} ${source}`;
}

/** Removes duplicates and keeps the order. */
export function distinct<C extends PluginVersion>(candidates: Iterable<C>): C[] {
  const byKey = new Map<string, C>();
  for (const each of candidates) if (!byKey.has(keyOf(each))) byKey.set(keyOf(each), each);
  return [...byKey.values()];
}

/** Whether a version is the current one of its source. */
export function isCurrent(
  content: PluginVersion,
  sources: readonly SourceCandidates<PluginVersion>[],
): boolean {
  return sources.some(({ current }) => current !== undefined && keyOf(current) === keyOf(content));
}

/** The versions to choose from. */
export interface Available<C extends PluginVersion = Candidate> {
  readonly sources: readonly SourceCandidates<C>[];
  /** Whether the start of a snapshot failed, by its hash. */
  failed(hash: string): boolean;
  /** A version that runs, is in a source, or is stored, by its source hash or hash. */
  known(id: string): C | undefined;
}

/**
 * The highest version in the range of the release that has neither failed nor is in quarantine, and that the release
 * was not rolled back from; undefined without one. A plugin that is disabled or has no source gets no version. Replaced
 * contents come last, so that a content that fails never restores one over the serving version.
 */
export function select<C extends PluginVersion>(
  release: Release,
  available: Available<C>,
  rollout: RolloutState,
): C | undefined {
  const { sources, known } = available;
  if (rollout.disabled !== undefined || sources.length === 0) return undefined;
  const pin = pinnedFor(rollout, release.name);
  const left = leftIn(rollout, release.name);
  const over = pin?.over ?? [];
  const isWanted = ({ snapshot }: C): boolean => !isAmong([...over, ...left], snapshot);
  const fit = (candidate: C): boolean => isFit(candidate, available, rollout);
  const taken = (candidates: readonly C[]): C | undefined =>
    highest(candidates.filter(({ snapshot }) => takes(release, snapshot)));

  const pinned = pin && known(pin.hash);
  const target = pinned !== undefined && fit(pinned) ? [pinned] : [];
  for (const offered of [withoutReplaced(sources, release, rollout), sources]) {
    const wanted = taken([...firstOfEach(offered, (each) => fit(each) && isWanted(each)), ...target]);
    // A version that an admin rolled back from is better than no answer.
    const found = wanted ?? (pin === undefined ? taken(firstOfEach(offered, fit)) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** By release; without releases that have no candidate. */
export function selectAll<C extends PluginVersion>(
  releases: readonly Release[],
  available: Available<C>,
  rollout: RolloutState,
): Map<string, C> {
  const chosen = new Map<string, C>();
  for (const release of releases) {
    const candidate = select(release, available, rollout);
    if (candidate !== undefined) chosen.set(release.name, candidate);
  }
  return chosen;
}

/** Candidates in the range of a release: contents of the sources first, then kept versions, latest first. */
export function fitting<C extends PluginVersion>(
  release: Release,
  available: Available<C>,
  rollout: RolloutState,
): C[] {
  return [...present(available), ...kept(available, rollout)].filter(({ snapshot }) =>
    takes(release, snapshot),
  );
}

/**
 * Fallback targets of a release, best first: proven versions (latest first), the version that it would choose, other
 * versions in its range. Never one that an admin rolled back from.
 */
export function substitutes<C extends PluginVersion>(
  release: Release,
  without: string,
  available: Available<C>,
  rollout: RolloutState,
): C[] {
  const others = { ...available, failed: (hash: string) => hash === without || available.failed(hash) };
  const chosen = select(release, others, rollout);
  const served = kept(others, rollout).filter(({ snapshot }) => takes(release, snapshot));
  const left = leftIn(rollout, release.name);
  return distinct([
    ...served,
    ...(chosen === undefined ? [] : [chosen]),
    ...fitting(release, others, rollout),
  ]).filter((each) => isFit(each, others, rollout) && !isAmong(left, each.snapshot));
}

/**
 * Source hashes of the contents that a release could take instead of `to` now: a pin to it must take precedence over these.
 */
export function preferredTo<C extends PluginVersion>(
  release: Release,
  { snapshot: { version, sourceHash } }: C,
  from: C | undefined,
  available: Available<C>,
  rollout: RolloutState,
): string[] {
  const others = [...fitting(release, available, rollout), ...(from === undefined ? [] : [from])].filter(
    ({ snapshot }) => snapshot.sourceHash !== sourceHash && semver.gte(snapshot.version, version),
  );
  return [...new Set(others.map(({ snapshot }) => snapshot.sourceHash))];
}

/** Whether the range of a release includes a version. Prereleases only when the range names them. */
export function takes(release: Release, snapshot: PluginVersion["snapshot"]): boolean {
  const range = release.range(snapshot);
  return range !== undefined && semver.satisfies(snapshot.version, range);
}

/** Current and earlier versions of the sources. */
export function present<C extends PluginVersion>({ sources }: Pick<Available<C>, "sources">): C[] {
  return sources.flatMap(({ current, earlier }) => (current === undefined ? earlier : [current, ...earlier]));
}

/** Stage and reason of a version without a process. */
export function idleStage(
  { snapshot }: PluginVersion,
  { failure, ungranted }: { failure: string | undefined; ungranted: string | undefined },
  rollout: RolloutState,
): { stage: Stage; reason: string | undefined } {
  const { disabled, pins } = rollout;
  const bad = quarantineOf(rollout, snapshot);
  if (bad !== undefined) return { stage: "quarantined", reason: bad.reason };
  if (failure !== undefined) return { stage: "failed", reason: failure };
  if (disabled !== undefined) return { stage: "disabled", reason: "An admin has disabled the plugin." };
  if (ungranted !== undefined) return { stage: "needs-grant", reason: ungranted };
  const back = Object.entries(pins).find(([, { over }]) => isAmong(over, snapshot));
  if (back === undefined) return { stage: "standby", reason: "No release asks for this version." };
  return { stage: "standby", reason: `Release ${back[0]} was rolled back to ${back[1].version}.` };
}

/** Whether a version has neither failed to start nor is in quarantine. */
export function isFit<C extends PluginVersion>(
  { snapshot }: C,
  { failed }: Pick<Available<C>, "failed">,
  rollout: RolloutState,
): boolean {
  return !failed(snapshot.hash) && !isQuarantined(rollout, snapshot);
}

/** The newest fit version of each source. */
export function firstOfEach<C extends PluginVersion>(
  sources: readonly SourceCandidates<C>[],
  fit: (candidate: C) => boolean,
): C[] {
  return sources.flatMap((each) => present({ sources: [each] }).find(fit) ?? []);
}

function withoutReplaced<C extends PluginVersion>(
  sources: readonly SourceCandidates<C>[],
  release: Release,
  rollout: RolloutState,
): SourceCandidates<C>[] {
  const replaced = replacedIn(rollout, release.name);
  return sources.map((each) => ({
    ...each,
    earlier: each.earlier.filter(({ snapshot }) => !isAmong(replaced, snapshot)),
  }));
}

function kept<C extends PluginVersion>({ known }: Available<C>, rollout: RolloutState): C[] {
  return rollout.kept.map(({ hash }) => known(hash)).filter((each) => each !== undefined);
}

function highest<C extends PluginVersion>(candidates: readonly C[]): C | undefined {
  return candidates.reduce<C | undefined>(
    (best, each) =>
      best === undefined || semver.gt(each.snapshot.version, best.snapshot.version) ? each : best,
    undefined,
  );
}

/** The running versions by their role. */
export interface Assignment<V extends PluginVersion> {
  /** Release name to the version that serves it. */
  readonly serving: ReadonlyMap<string, V>;
  /** Versions on trial with their standbys, by release. */
  readonly trials: ReadonlyMap<V, ReadonlyMap<string, V>>;
}

export interface Change<V extends PluginVersion> {
  readonly after: Assignment<V>;
  /** Versions that have proven themselves, in the order in which to remember them. */
  readonly proven: readonly V[];
  /** Versions whose trial begins, with the first of their standbys. */
  readonly begun: ReadonlyMap<V, V | undefined>;
}

export const nothing = { serving: new Map<string, never>(), trials: new Map<never, never>() };

/**
 * Assigns new versions to releases. A version that has never served is on trial while the versions that it replaced
 * stand by, except versions that an admin rolled back from or that are in quarantine. A version released from
 * quarantine is always on trial.
 */
export function switchOver<V extends PluginVersion>(
  before: Assignment<V>,
  serving: ReadonlyMap<string, V>,
  isFit: (version: V) => boolean,
  rollout: RolloutState,
): Change<V> {
  const trials = new Map(before.trials);
  const served = new Set(before.serving.values());
  const proven: V[] = [];
  const begun = new Map<V, V | undefined>();
  for (const version of new Set(serving.values())) {
    if (served.has(version)) continue;
    const { snapshot } = version;
    const replaced = [...serving].flatMap(([release, each]) => {
      const old = each === version ? before.serving.get(release) : undefined;
      // The same content from another source continues the trial.
      const replaces =
        old?.snapshot.sourceHash === snapshot.sourceHash ? before.trials.get(old)?.get(release) : old;
      return replaces !== undefined && isFit(replaces) ? [[release, replaces] as const] : [];
    });
    if (isProven(rollout, snapshot) || (replaced.length === 0 && !isReleased(rollout, snapshot))) {
      trials.delete(version);
      proven.push(version);
      continue;
    }
    const wanted = wantedOf(replaced, rollout);
    // It served without a failure until it was replaced.
    for (const old of wanted.values()) if (trials.delete(old)) proven.push(old);
    trials.set(version, wanted);
    begun.set(version, wanted.values().next().value);
  }
  const answering = new Set(serving.values());
  for (const [version, trial] of trials)
    if (answering.has(version)) trials.set(version, wantedOf(trial, rollout));
    else trials.delete(version);
  return { after: { serving, trials }, proven, begun };
}

/** Moves releases back to the standbys at once and ends the trial of the version. */
export function restoreStandby<V extends PluginVersion>(
  { serving, trials }: Assignment<V>,
  version: V,
  to: ReadonlyMap<string, V>,
): Assignment<V> {
  const others = new Map(trials);
  others.delete(version);
  return { serving: to.size === 0 ? serving : new Map([...serving, ...to]), trials: others };
}

/** The standbys of a version, by release that the version serves. */
export function standingBy<V extends PluginVersion>(
  { serving, trials }: Assignment<V>,
  version: V,
  rollout: RolloutState,
): Map<string, V> {
  const trial = [...(trials.get(version) ?? [])];
  return wantedOf(
    trial.filter(([release]) => serving.get(release) === version),
    rollout,
  );
}

/** Ends the trial of a version, whatever its outcome. */
export function endTrial<V extends PluginVersion>(assignment: Assignment<V>, version: V): Assignment<V> {
  return restoreStandby(assignment, version, new Map());
}

/** Versions that serve or stand by. */
export function needed<V extends PluginVersion>({ serving, trials }: Assignment<V>): Set<V> {
  const predecessors = [...trials.values()].flatMap((trial) => [...trial.values()]);
  return new Set([...serving.values(), ...predecessors]);
}

export function releasesOf<V extends PluginVersion>({ serving }: Assignment<V>, version: V): string[] {
  return [...serving].filter(([, each]) => each === version).map(([release]) => release);
}

/** Without contents that an admin rolled back from, or that are in quarantine because of another release. */
function wantedOf<V extends PluginVersion>(trial: Iterable<readonly [string, V]>, rollout: RolloutState) {
  return new Map(
    [...trial].filter(
      ([release, { snapshot }]) =>
        !isQuarantined(rollout, snapshot) && !isAmong(leftIn(rollout, release), snapshot),
    ),
  );
}
