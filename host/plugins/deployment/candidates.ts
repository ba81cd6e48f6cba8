import { basename } from "node:path";
import type { Journal } from "../../observability/events/plugin-event.js";
import { StateRecord } from "../plugin-state.js";
import type { Versioned } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshot.js";

/** A content of a plugin version, and where it comes from. */
export interface Content {
  readonly snapshot: Versioned & { readonly hash: string };
  /** Path of the source in a drop-in folder that it came from. */
  readonly source: string;
}

/** A content that could be started. */
export interface Candidate extends Content {
  readonly snapshot: Snapshot;
  readonly record: StateRecord;
}

/** The candidates of one source. */
export interface SourceCandidates<C extends Content = Candidate> {
  readonly source: string;
  /** The content that the source has now. */
  readonly current: C | undefined;
  /** Earlier contents of the source, in case the current one does not serve: on trial first, then proven. */
  readonly earlier: readonly C[];
}

/** The same for candidates that would run the same content for the same source. */
export function keyOf({
  snapshot,
  source,
}: Pick<Content, "source"> & { snapshot: { hash: string } }): string {
  return `${snapshot.hash} ${source}`;
}

/** One of each, in order. */
export function distinct<C extends Content>(candidates: Iterable<C>): C[] {
  const byKey = new Map<string, C>();
  for (const each of candidates) if (!byKey.has(keyOf(each))) byKey.set(keyOf(each), each);
  return [...byKey.values()];
}

/** Whether a content is the current one of its source. */
export function isCurrentContent(content: Content, sources: readonly SourceCandidates<Content>[]): boolean {
  return sources.some(({ current }) => current !== undefined && keyOf(current) === keyOf(content));
}

/** A content that already has the name and version of another one. */
interface Incumbent {
  readonly hash: string;
  /** Of the plugin's own files. */
  readonly sourceHash: string;
  readonly source: string;
  /** Whether the source still has it. */
  readonly isCurrent: boolean;
}

/** The contents of one source that belong to this plugin. */
export interface SourceContent {
  readonly path: string;
  /** The last complete content; undefined when there is none, or when it cannot be read. */
  readonly current: { snapshot: Snapshot; record: StateRecord } | undefined;
  /** Earlier contents: on trial first, then proven. */
  readonly earlier: readonly Snapshot[];
}

/** The contents of one plugin in all of its sources, as candidates that stay the same while the contents do. */
export class DeploymentContents {
  private contents: readonly SourceContent[] = [];
  /** Records of snapshots whose source has changed. */
  private readonly records = new Map<string, StateRecord>();

  constructor(
    private readonly journal: Journal,
    private readonly development: boolean,
  ) {}

  update(contents: readonly SourceContent[]): void {
    this.contents = contents;
  }

  /**
   * The candidates of each source. A content whose name and version belong to another one is refused; `running`
   * are those that count first.
   */
  sources(running: readonly Candidate[]): SourceCandidates[] {
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
      // A content that came back while it was still running keeps its candidate.
      const same = running.find((each) => keyOf(each) === keyOf(candidate));
      same?.record.update({ signedBy: snapshot.signedBy });
      return { source: path, current: same ?? candidate, earlier };
    });
  }

  /** A content from the store as a candidate of its own. */
  restored(snapshot: Snapshot, source: string): Candidate {
    const key = keyOf({ snapshot, source });
    const record = this.records.get(key) ?? new StateRecord(source, this.journal);
    this.records.set(key, record);
    const { name, version, hash, signedBy } = snapshot;
    record.update({ name, version, hash, signedBy });
    return { snapshot, record, source };
  }

  /** Forgets the records of candidates that are not needed any more. */
  forget(needed: ReadonlySet<StateRecord>): void {
    for (const [key, record] of this.records) if (!needed.has(record)) this.records.delete(key);
  }

  /** By version. Those whose source is gone count no more. */
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
 * Why a content is not taken: another one has its name and version, or another source has the same content. Two contents
 * under one version, by the plugin's own files, are refused because the version would no longer identify the code. Admins read
 * the message, so it does not contain paths.
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
