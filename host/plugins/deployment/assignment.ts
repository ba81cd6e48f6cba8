/** Assigns versions to releases and keeps standbys, without side effects. */
import { isAmong, type PluginVersion } from "./candidates.js";
import { isProven, isQuarantined, isReleased, leftIn, type RolloutState } from "./rollout-state.js";

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
