/** Selects one candidate for a release from the available contents and the rollout state, without side effects. */
import semver from "semver";
import type { Stage } from "../plugin-state.js";
import type { Release } from "../releases.js";
import {
  type Candidate,
  distinct,
  isAmong,
  type PluginVersion,
  type SourceCandidates,
} from "./candidates.js";
import {
  isQuarantined,
  leftIn,
  pinnedFor,
  quarantineOf,
  type RolloutState,
  replacedIn,
} from "./rollout-state.js";

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
  failure: string | undefined,
  rollout: RolloutState,
): { stage: Stage; reason: string | undefined } {
  const { disabled, pins } = rollout;
  const bad = quarantineOf(rollout, snapshot);
  if (bad !== undefined) return { stage: "quarantined", reason: bad.reason };
  if (failure !== undefined) return { stage: "failed", reason: failure };
  if (disabled !== undefined) return { stage: "disabled", reason: "An admin has disabled the plugin." };
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
