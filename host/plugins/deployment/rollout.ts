/** Transitions of the remembered plugin state, without side effects. */
import semver from "semver";
import type { PluginGrants } from "../../configuration/plugin-grants.js";
import type { Pin } from "../administration/administration.js";
import type { Release } from "../releases.js";
import {
  earlierOf,
  isAmong,
  isNamed,
  leftIn,
  type PluginsMemory,
  pinnedFor,
  type RolloutState,
  replacedIn,
  rolloutOf,
} from "./plugins-memory.js";
import {
  type Assignment,
  type Available,
  isFit,
  type PluginVersion,
  preferredTo,
  present,
  select,
  takes,
} from "./selection.js";

/** Limit of remembered hashes per list; older contents are long gone from the folders. */
const mostRemembered = 50;

/** Sets what admins grant a plugin, beside the host's configuration. */
export function grant(memory: PluginsMemory, name: string, grants: PluginGrants): PluginsMemory {
  return { ...memory, plugins: { ...memory.plugins, [name]: { ...rolloutOf(memory, name), grants } } };
}

/** A version replaces `before` and is on trial. `isCurrent`: it is the current content of its source. */
export function beginTrial(
  memory: PluginsMemory,
  { snapshot, source }: PluginVersion,
  isCurrent: boolean,
  before: PluginVersion | undefined,
): PluginsMemory {
  if (!isCurrent) return memory;
  const { name, version, sourceHash: hash } = snapshot;
  const remembered = memory.places[source];
  const [last] = earlierOf(remembered, name).slice(-1);
  // A source without a proven content falls back to the replaced one.
  const known = { ...(last ?? idOf(before?.snapshot ?? snapshot)), name, trial: { version, hash } };
  return { ...memory, places: { ...memory.places, [source]: known } };
}

/**
 * A version has proven itself: a rollback can choose it, and its source falls back to it. `isCurrent`: it is the
 * current content of its source; a version restored by a rollback does not displace newer content of its source.
 */
export function prove(
  memory: PluginsMemory,
  { snapshot, source }: PluginVersion,
  isCurrent: boolean,
  keep: number,
  at: string,
): PluginsMemory {
  const { name, version, sourceHash: hash } = snapshot;
  const before = memory.places[source];
  const trial = before?.name === name ? before.trial : undefined;
  const isNews = isCurrent || (trial !== undefined && isNamed(trial.hash, snapshot));
  const places = isNews ? { ...memory.places, [source]: { name, version, hash } } : memory.places;
  return changed({ ...memory, places }, name, ({ released, ...rollout }) => ({
    ...rollout,
    ...withReleased(released?.filter((id) => !isNamed(id, snapshot))),
    kept: [{ version, hash, at }, ...rollout.kept.filter((each) => !isNamed(each.hash, snapshot))].slice(
      0,
      keep,
    ),
  }));
}

/**
 * Remembers versions in sources that the hosts have agreed on before. They never begin a trial here, and their removal must be
 * noticed like that of others.
 */
export function noteHeld(memory: PluginsMemory, held: readonly PluginVersion[]): PluginsMemory {
  const unknown = held.filter(({ source }) => !Object.hasOwn(memory.places, source));
  if (unknown.length === 0) return memory;
  const places = unknown.map(
    ({ source, snapshot: { name, version, sourceHash: hash } }) => [source, { name, version, hash }] as const,
  );
  return { ...memory, places: { ...memory.places, ...Object.fromEntries(places) } };
}

/** Puts a failed version into quarantine. */
export function quarantine(
  memory: PluginsMemory,
  { snapshot }: PluginVersion,
  reason: string,
  at: string,
): PluginsMemory {
  const { name, version, sourceHash: hash } = snapshot;
  return changed(memory, name, ({ released, ...rollout }) => ({
    ...rollout,
    ...withReleased(released?.filter((id) => !isNamed(id, snapshot))),
    quarantined: [
      { version, hash, at, reason },
      ...rollout.quarantined.filter((each) => !isNamed(each.hash, snapshot)),
    ].slice(0, mostRemembered),
  }));
}

/** Records that the start of a version failed. */
export function fail(
  memory: PluginsMemory,
  { snapshot: { name, version, hash } }: PluginVersion,
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

/** Lets versions be tried again whose start failed. */
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

export interface FallbackOrder<C extends PluginVersion> {
  from: C;
  /** Releases with their fallback targets. */
  to: ReadonlyMap<Release, C>;
  /** Undefined when the version still serves releases that have no fallback. */
  reason: string | undefined;
  available: Available<C>;
  at: string;
}

/** Releases fall back and keep the fallback target until new content arrives. */
export function fallBack<C extends PluginVersion>(
  memory: PluginsMemory,
  order: FallbackOrder<C>,
): PluginsMemory {
  const { from, to, reason, available, at } = order;
  const { name } = from.snapshot;
  let next = reason === undefined ? memory : quarantine(memory, from, reason, at);
  for (const [release, target] of to) {
    const { version, sourceHash: hash } = target.snapshot;
    const replaced = replacedIn(rolloutOf(next, name), release.name).filter(
      (id) => !isNamed(id, target.snapshot),
    );
    next = withReplaced(next, name, release.name, replaced);
    const rollout = rolloutOf(next, name);
    if (select(release, available, rollout)?.snapshot.sourceHash === hash) continue;
    const over = preferredTo(release, target, from, available, rollout);
    next = pinned(next, name, release.name, { version, hash, over, at, actor: "host" });
  }
  return next;
}

/**
 * An admin rolls a release back. `from`: source hash of the content that it leaves; undefined when no other version served, or
 * a lower one. The target of the pin is not in quarantine.
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

/** Enables the plugin. With a version, releases that version from quarantine; it is on trial again. */
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
 * A pin ends once its release serves a proven later version, which is not on trial, unless that would restore a content that
 * the pin takes precedence over.
 */
export function endOutlivedPins<V extends PluginVersion>(
  memory: PluginsMemory,
  name: string,
  releases: readonly Release[],
  { serving, trials }: Assignment<V>,
  available: Available<PluginVersion>,
): PluginsMemory {
  let next = memory;
  for (const release of releases) {
    const served = serving.get(release.name);
    if (served === undefined || trials.has(served)) continue;
    const { snapshot } = served;
    const rollout = rolloutOf(next, name);
    const pin = pinnedFor(rollout, release.name);
    if (pin === undefined || isNamed(pin.hash, snapshot) || semver.lt(snapshot.version, pin.version))
      continue;
    const left = leftIn(rollout, release.name);
    const over = present(available)
      .filter((each) => takes(release, each.snapshot) && isAmong(pin.over, each.snapshot))
      .filter((each) => semver.gt(each.snapshot.version, snapshot.version))
      .map((each) => each.snapshot.sourceHash);
    const { version, sourceHash: hash } = snapshot;
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
 * Earlier contents count as replaced for a release once all their sources hold sound content and they do not serve it,
 * until they serve it again. `serving`: by release.
 */
export function noteReplaced<C extends PluginVersion>(
  memory: PluginsMemory,
  name: string,
  releases: readonly Release[],
  serving: ReadonlyMap<string, PluginVersion>,
  available: Available<C>,
): PluginsMemory {
  // A disabled plugin resumes with its earlier contents once it is enabled.
  if (rolloutOf(memory, name).disabled !== undefined) return memory;
  const { sources } = available;
  const lying = new Set(sources.map(({ current }) => current?.snapshot.sourceHash));
  const earlier = new Map(
    sources.flatMap((each) => each.earlier.map(({ snapshot }) => [snapshot.sourceHash, snapshot])),
  );
  const isReplaced = (hash: string): boolean =>
    sources
      .filter((each) => each.earlier.some(({ snapshot }) => snapshot.sourceHash === hash))
      .every(({ current }) => current !== undefined && isFit(current, available, rolloutOf(memory, name)));
  let next = memory;
  for (const release of releases) {
    const before = replacedIn(rolloutOf(next, name), release.name);
    const answers = serving.get(release.name)?.snapshot.sourceHash;
    const replaced = [...earlier].flatMap(([hash, snapshot]) =>
      hash !== answers && !lying.has(hash) && (isAmong(before, snapshot) || isReplaced(hash)) ? hash : [],
    );
    next = withReplaced(next, name, release.name, replaced);
  }
  return next;
}

/** What is remembered of a content. */
export function idOf({ version, sourceHash }: PluginVersion["snapshot"]): { version: string; hash: string } {
  return { version, hash: sourceHash };
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
