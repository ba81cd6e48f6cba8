import { basename } from "node:path";
import type { Journal } from "../../observability/events/plugin-event.js";
import { StateRecord } from "../plugin-state.js";
import type { Versioned } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshots.js";

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

/** The snapshot that already has a name and version. */
interface Incumbent {
  readonly hash: string;
  /** Hash of the plugin's own files. */
  readonly sourceHash: string;
  readonly source: string;
  /** Whether it is the current content of its source. */
  readonly isCurrent: boolean;
}

/** The snapshots of one source for one plugin. */
export interface SourceSnapshots {
  readonly path: string;
  /** That of the last complete content; undefined without one, or when the source cannot be read. */
  readonly current: { snapshot: Snapshot; record: StateRecord } | undefined;
  /** Those of earlier contents: on trial first, then proven. */
  readonly earlier: readonly Snapshot[];
}

/** The contents of one plugin in all its sources. A candidate keeps its identity while its content does not change. */
export class CandidatePool {
  private contents: readonly SourceSnapshots[] = [];
  /** Records of snapshots whose source has changed. */
  private readonly records = new Map<string, StateRecord>();

  constructor(
    private readonly journal: Journal,
    private readonly development: boolean,
  ) {}

  update(contents: readonly SourceSnapshots[]): void {
    this.contents = contents;
  }

  /**
   * Admits the contents of each source as candidates. A snapshot becomes "rejected" when another one has its name
   * and version; contents of `running` take precedence.
   */
  admit(running: readonly Candidate[]): SourceCandidates[] {
    const taken = this.incumbents(running);
    return this.contents.map(({ path, current: found, earlier: snapshots }) => {
      const earlier = snapshots.map((each) => this.restored(each, path));
      if (found === undefined) return { source: path, current: undefined, earlier };
      const { snapshot, record } = found;
      const incumbent = taken.get(snapshot.version);
      const candidate = { snapshot, record, source: path };
      const reason =
        incumbent && !this.mayReplace(incumbent, path) ? refusal(candidate, incumbent) : undefined;
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

  /** A candidate for a stored snapshot. */
  restored(snapshot: Snapshot, source: string): Candidate {
    const key = keyOf({ snapshot, source });
    const record = this.records.get(key) ?? new StateRecord(source, this.journal);
    this.records.set(key, record);
    const { name, version, hash, signedBy, assets } = snapshot;
    record.update({ name, version, hash, signedBy, assets });
    return { snapshot, record, source };
  }

  /** Forgets the records of candidates that are no longer needed. */
  forget(needed: ReadonlySet<StateRecord>): void {
    for (const [key, record] of this.records) if (!needed.has(record)) this.records.delete(key);
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

  private mayReplace(incumbent: Incumbent, source: string): boolean {
    return this.development && incumbent.source === source;
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

/** How contents are recognised: on every host, and over upgrades of the host. */

/** How a snapshot is known: on every host, and over upgrades of the host. */
export interface SnapshotId {
  /** Of all that runs, with packages of the host: differs on a host of another version. */
  readonly hash: string;
  /** Of the plugin's own files: the same on every host. */
  readonly sourceHash: string;
}

/** Whether a remembered id names a snapshot: its source hash, or its hash if an earlier host remembered it. */
export function isNamed(id: string, { hash, sourceHash }: SnapshotId): boolean {
  return id === sourceHash || id === hash;
}

/** Whether one of the ids names a snapshot. */
export function isAmong(ids: readonly string[], content: SnapshotId): boolean {
  return ids.some((id) => isNamed(id, content));
}
