/** What answers under which release and what stands by for it, and how that changes, without side effects. */
import type { Content } from "./candidates.js";
import { isProven, isQuarantined, isReleased, leftIn, type RolloutState } from "./rollout-state.js";

/** What runs for the releases. */
export interface Assignment<V extends Content> {
  /** Release name to the version that answers there. */
  readonly serving: ReadonlyMap<string, V>;
  /** Versions on trial with what stands by for them, by release. */
  readonly trials: ReadonlyMap<V, ReadonlyMap<string, V>>;
}

export interface Change<V extends Content> {
  readonly after: Assignment<V>;
  /** What has served well, in the order in which it is to be remembered. */
  readonly proven: readonly V[];
  /** What is on trial from now on, with the first of those that stand by. */
  readonly begun: ReadonlyMap<V, V | undefined>;
}

export const nothing = { serving: new Map<string, never>(), trials: new Map<never, never>() };

/**
 * Releases answer with other versions. One that never served before is on trial while those that it replaced stand by, but
 * for those that an admin has left or that served badly; one that was let out of quarantine is on trial in any case.
 */
export function switchOver<V extends Content>(
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
    const { hash } = version.snapshot;
    const replaced = [...serving].flatMap(([release, each]) => {
      const old = each === version ? before.serving.get(release) : undefined;
      // The same content from another source goes on with the trial.
      const replaces = old?.snapshot.hash === hash ? before.trials.get(old)?.get(release) : old;
      return replaces !== undefined && isFit(replaces) ? [[release, replaces] as const] : [];
    });
    if (isProven(rollout, hash) || (replaced.length === 0 && !isReleased(rollout, hash))) {
      trials.delete(version);
      proven.push(version);
      continue;
    }
    const wanted = wantedOf(replaced, rollout);
    // It served without failing until it was replaced.
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

/** Releases go back at once to what stands by; the trial of the version is over. */
export function restoreStandby<V extends Content>(
  { serving, trials }: Assignment<V>,
  version: V,
  to: ReadonlyMap<string, V>,
): Assignment<V> {
  const others = new Map(trials);
  others.delete(version);
  return { serving: to.size === 0 ? serving : new Map([...serving, ...to]), trials: others };
}

/** What stands by for a version, by release that the version answers under. */
export function standingBy<V extends Content>(
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

/** The trial of a version is over, either way. */
export function endTrial<V extends Content>(assignment: Assignment<V>, version: V): Assignment<V> {
  return restoreStandby(assignment, version, new Map());
}

/** What answers or stands by. */
export function needed<V extends Content>({ serving, trials }: Assignment<V>): Set<V> {
  const predecessors = [...trials.values()].flatMap((trial) => [...trial.values()]);
  return new Set([...serving.values(), ...predecessors]);
}

export function releasesOf<V extends Content>({ serving }: Assignment<V>, version: V): string[] {
  return [...serving].filter(([, each]) => each === version).map(([release]) => release);
}

/** Without what served badly meanwhile in another release, or was left. */
function wantedOf<V extends Content>(trial: Iterable<readonly [string, V]>, rollout: RolloutState) {
  const isWanted = (hash: string, release: string): boolean =>
    !isQuarantined(rollout, hash) && !leftIn(rollout, release).includes(hash);
  return new Map([...trial].filter(([release, { snapshot }]) => isWanted(snapshot.hash, release)));
}
