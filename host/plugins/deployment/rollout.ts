/** How what is remembered of plugins changes: from one memory to the next, without side effects. */
import semver from "semver";
import type { Release } from "../releases.js";
import type { Content } from "./candidates.js";
import {
  earlierOf,
  leftIn,
  type Pin,
  type PluginsMemory,
  type RolloutState,
  replacedIn,
  rolloutOf,
} from "./rollout-state.js";
import { type Available, isFit, preferredTo, present, select, takes } from "./selection.js";

/** Quarantined contents, and those that were left, that are remembered; older ones are long gone from the folders. */
const mostRemembered = 50;

/**
 * A version begins to serve in place of another one and has to prove itself; `before` is what it replaces. `isCurrent`: it is the
 * current content of its source.
 */
export function beginTrial(
  memory: PluginsMemory,
  { snapshot, source }: Content,
  isCurrent: boolean,
  before: Content | undefined,
): PluginsMemory {
  if (!isCurrent) return memory;
  const { name, version, hash } = snapshot;
  const remembered = memory.places[source];
  const [last] = earlierOf(remembered, name).slice(-1);
  // A source that has nothing to fall back to yet falls back to what was replaced.
  const { version: earlierVersion, hash: earlierHash } = last ?? before?.snapshot ?? snapshot;
  const known = { name, version: earlierVersion, hash: earlierHash, trial: { version, hash } };
  return { ...memory, places: { ...memory.places, [source]: known } };
}

/**
 * A version served well: what a rollback can choose, and what its source falls back to. `isCurrent`: it is the current content; one
 * that a rollback has brought back takes nothing from what came to its source later.
 */
export function prove(
  memory: PluginsMemory,
  { snapshot, source }: Content,
  isCurrent: boolean,
  keep: number,
  at: string,
): PluginsMemory {
  const { name, version, hash } = snapshot;
  const before = memory.places[source];
  const isNews = isCurrent || (before?.name === name && before.trial?.hash === hash);
  const places = isNews ? { ...memory.places, [source]: { name, version, hash } } : memory.places;
  return changed({ ...memory, places }, name, ({ released, ...rollout }) => ({
    ...rollout,
    ...withReleased(released?.filter((each) => each !== hash)),
    kept: [{ version, hash, at }, ...rollout.kept.filter((each) => each.hash !== hash)].slice(0, keep),
  }));
}

/** A version served badly. */
export function quarantine(
  memory: PluginsMemory,
  { snapshot: { name, version, hash } }: Content,
  reason: string,
  at: string,
): PluginsMemory {
  return changed(memory, name, ({ released, ...rollout }) => ({
    ...rollout,
    ...withReleased(released?.filter((each) => each !== hash)),
    quarantined: [
      { version, hash, at, reason },
      ...rollout.quarantined.filter((each) => each.hash !== hash),
    ].slice(0, mostRemembered),
  }));
}

/** A version did not come up. */
export function fail(
  memory: PluginsMemory,
  { snapshot: { name, version, hash } }: Content,
  reason: string,
): PluginsMemory {
  return changed(memory, name, ({ failed = [], ...rollout }) => ({
    ...rollout,
    failed: [{ version, hash, reason }, ...failed.filter((each) => each.hash !== hash)].slice(
      0,
      mostRemembered,
    ),
  }));
}

/** Versions that did not come up have another chance. */
export function clearFailures(
  memory: PluginsMemory,
  name: string,
  isCleared: (failed: { version: string; hash: string }) => boolean,
): PluginsMemory {
  const { failed = [], ...rollout } = rolloutOf(memory, name);
  const left = failed.filter((each) => !isCleared(each));
  if (left.length === failed.length) return memory;
  return changed(memory, name, () => (left.length === 0 ? rollout : { ...rollout, failed: left }));
}

export interface FallbackOrder<C extends Content> {
  from: C;
  /** Releases with what they fall back to. */
  to: ReadonlyMap<Release, C>;
  /** Why; undefined when the version goes on elsewhere, where there is nothing to fall back to. */
  reason: string | undefined;
  available: Available<C>;
  at: string;
}

/** Releases fall back, and stay with what they have fallen back to until a version comes that was not there. */
export function fallBack<C extends Content>(memory: PluginsMemory, order: FallbackOrder<C>): PluginsMemory {
  const { from, to, reason, available, at } = order;
  const { name } = from.snapshot;
  let next = reason === undefined ? memory : quarantine(memory, from, reason, at);
  for (const [release, target] of to) {
    const { version, hash } = target.snapshot;
    const replaced = replacedIn(rolloutOf(next, name), release.name).filter((each) => each !== hash);
    next = withReplaced(next, name, release.name, replaced);
    const rollout = rolloutOf(next, name);
    if (select(release, available, rollout)?.snapshot.hash === hash) continue;
    const over = preferredTo(release, target, from, available, rollout);
    next = pinned(next, name, release.name, { version, hash, over, at, actor: "host" });
  }
  return next;
}

/**
 * An admin rolls a release back from a content with the hash `from`; undefined when nothing else answered, or a lower
 * version. The target of the pin is not in quarantine.
 */
export function rollBack(
  memory: PluginsMemory,
  name: string,
  release: string,
  pin: Pin,
  from: string | undefined,
): PluginsMemory {
  const left = leftIn(rolloutOf(memory, name), release).filter((hash) => hash !== pin.hash);
  const all = from === undefined ? left : [from, ...left];
  return withLeft(pinned(memory, name, release, pin), name, release, all);
}

export function disable(memory: PluginsMemory, name: string, actor: string, at: string): PluginsMemory {
  return changed(memory, name, (rollout) => ({ ...rollout, disabled: { at, actor } }));
}

/** Wanted again. With a version, that is let out of quarantine and has to prove itself. */
export function enable(memory: PluginsMemory, name: string, version: string | undefined): PluginsMemory {
  return changed(memory, name, ({ disabled: _, released = [], ...rollout }) => {
    const lifted = rollout.quarantined.filter((each) => each.version === version).map(({ hash }) => hash);
    return {
      ...rollout,
      ...withReleased([...new Set([...lifted, ...released])].slice(0, mostRemembered)),
      quarantined: rollout.quarantined.filter(({ hash }) => !lifted.includes(hash)),
    };
  });
}

/**
 * A rollback ends once its release answers with a proven version that came later, but not as long as that would bring
 * back what it is preferred to. `proven`: by release, what answers there and is not on trial.
 */
export function endOutlivedPins<C extends Content>(
  memory: PluginsMemory,
  name: string,
  proven: ReadonlyMap<Release, C>,
  available: Available<C>,
): PluginsMemory {
  let next = memory;
  for (const [release, { snapshot }] of proven) {
    const rollout = rolloutOf(next, name);
    const pin = Object.hasOwn(rollout.pins, release.name) ? rollout.pins[release.name] : undefined;
    if (pin === undefined || pin.hash === snapshot.hash || semver.lt(snapshot.version, pin.version)) continue;
    const left = leftIn(rollout, release.name);
    const over = present(available)
      .filter((each) => takes(release, each.snapshot) && pin.over.includes(each.snapshot.hash))
      .filter((each) => semver.gt(each.snapshot.version, snapshot.version))
      .map((each) => each.snapshot.hash);
    const { version, hash } = snapshot;
    next =
      over.length === 0
        ? changed(next, name, (state) => {
            const { [release.name]: _, ...pins } = state.pins;
            return { ...state, pins };
          })
        : pinned(next, name, release.name, { ...pin, version, hash, over: [...new Set(over)] });
    if (left.length > 0) next = withLeft(next, name, release.name, left);
  }
  return next;
}

/**
 * What sources had before is replaced, by release, once something sound lies in all of them and it does not answer there; it
 * stays so until it answers again. `serving`: by release.
 */
export function noteReplaced<C extends Content>(
  memory: PluginsMemory,
  name: string,
  releases: readonly Release[],
  serving: ReadonlyMap<string, Content>,
  available: Available<C>,
): PluginsMemory {
  // What a plugin that is disabled had goes on once it is enabled.
  if (rolloutOf(memory, name).disabled !== undefined) return memory;
  const { sources } = available;
  const lying = new Set(sources.map(({ current }) => current?.snapshot.hash));
  const earlier = new Set(sources.flatMap((each) => each.earlier.map(({ snapshot }) => snapshot.hash)));
  const isReplaced = (hash: string): boolean =>
    sources
      .filter((each) => each.earlier.some(({ snapshot }) => snapshot.hash === hash))
      .every(({ current }) => current !== undefined && isFit(current, available, rolloutOf(memory, name)));
  let next = memory;
  for (const release of releases) {
    const before = replacedIn(rolloutOf(next, name), release.name);
    const answers = serving.get(release.name)?.snapshot.hash;
    const replaced = [...earlier].filter(
      (hash) => hash !== answers && !lying.has(hash) && (before.includes(hash) || isReplaced(hash)),
    );
    next = withReplaced(next, name, release.name, replaced);
  }
  return next;
}

function changed(
  memory: PluginsMemory,
  name: string,
  how: (rollout: RolloutState) => RolloutState,
): PluginsMemory {
  return { ...memory, plugins: { ...memory.plugins, [name]: how(rolloutOf(memory, name)) } };
}

function pinned(memory: PluginsMemory, name: string, release: string, pin: Pin): PluginsMemory {
  return changed(memory, name, (rollout) => ({ ...rollout, pins: { ...rollout.pins, [release]: pin } }));
}

function withLeft(
  memory: PluginsMemory,
  name: string,
  release: string,
  hashes: readonly string[],
): PluginsMemory {
  const left = [...new Set(hashes)].slice(0, mostRemembered);
  return changed(memory, name, (rollout) => ({ ...rollout, left: { ...rollout.left, [release]: left } }));
}

function withReplaced(
  memory: PluginsMemory,
  name: string,
  release: string,
  hashes: readonly string[],
): PluginsMemory {
  const before = replacedIn(rolloutOf(memory, name), release);
  if (before.length === hashes.length && hashes.every((hash) => before.includes(hash))) return memory;
  return changed(memory, name, ({ replaced: { [release]: _, ...others } = {}, ...rollout }) => {
    const replaced = hashes.length === 0 ? others : { ...others, [release]: [...hashes] };
    return Object.keys(replaced).length === 0 ? rollout : { ...rollout, replaced };
  });
}

function withReleased(released: string[] | undefined): Pick<RolloutState, "released"> {
  return released === undefined || released.length === 0 ? {} : { released };
}
