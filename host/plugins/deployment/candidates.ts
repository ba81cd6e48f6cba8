import { basename } from "node:path";
import type { Journal } from "../../observability/events/plugin-event.js";
import { StateRecord } from "../plugin-state.js";
import type { Versioned } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshot.js";

/** A content of a plugin version, and where it comes from. */
export interface Content {
  readonly snapshot: Versioned & { readonly hash: string };
  /** Path of the place in a drop-in folder that it came from. */
  readonly place: string;
}

/** A content that could be started. */
export interface Candidate extends Content {
  readonly snapshot: Snapshot;
  readonly record: StateRecord;
}

/** What a place gives to the selection. */
export interface Contribution<C extends Content = Candidate> {
  readonly place: string;
  /** What lies there. */
  readonly current: C | undefined;
  /** What served from there before, in case that does not: what is on trial, then what served well. */
  readonly earlier: readonly C[];
}

/** The same for candidates that would run the same content for the same place. */
export function keyOf({ snapshot, place }: Pick<Content, "place"> & { snapshot: { hash: string } }): string {
  return `${snapshot.hash} ${place}`;
}

/** One of each, in order. */
export function distinct<C extends Content>(candidates: Iterable<C>): C[] {
  const byKey = new Map<string, C>();
  for (const each of candidates) if (!byKey.has(keyOf(each))) byKey.set(keyOf(each), each);
  return [...byKey.values()];
}

/** Whether a content is what lies in its place. */
export function liesThere(content: Content, contributions: readonly Contribution<Content>[]): boolean {
  return contributions.some(({ current }) => current !== undefined && keyOf(current) === keyOf(content));
}

/** What is known of a content under the name and version of another one. */
interface Incumbent {
  readonly hash: string;
  /** Of the plugin's own files. */
  readonly source: string;
  readonly place: string;
  /** Whether it still lies at its place, which may hold something else by now. */
  readonly lies: boolean;
}

/** What lies at a place of a drop-in folder now, as far as it is of this plugin. */
export interface PlaceContent {
  readonly path: string;
  /** What was complete there last; undefined when nothing was, or when it cannot be reached. */
  readonly current: { snapshot: Snapshot; record: StateRecord } | undefined;
  /** What served from there before: what is on trial, then what served well. */
  readonly earlier: readonly Snapshot[];
}

/** The contents of one plugin in all of its places, as candidates that stay the same while the contents do. */
export class DeploymentContents {
  private contents: readonly PlaceContent[] = [];
  /** Of snapshots that are not in their places any more. */
  private readonly records = new Map<string, StateRecord>();

  constructor(
    private readonly journal: Journal,
    private readonly development: boolean,
  ) {}

  update(contents: readonly PlaceContent[]): void {
    this.contents = contents;
  }

  /**
   * What each place gives to the choice. A content whose name and version belong to another one is refused; `running`
   * are those that count first.
   */
  contributions(running: readonly Candidate[]): Contribution[] {
    const taken = this.incumbents(running);
    return this.contents.map(({ path, current: found, earlier: snapshots }) => {
      const earlier = snapshots.map((each) => this.restored(each, path));
      if (found === undefined) return { place: path, current: undefined, earlier };
      const { snapshot, record } = found;
      const incumbent = taken.get(snapshot.version);
      const candidate = { snapshot, record, place: path };
      const reason =
        incumbent && !this.mayReplace(incumbent, path) ? refusal(candidate, incumbent) : undefined;
      if (reason !== undefined) {
        record.transition("rejected", reason);
        const stays = running.find((each) => each.place === path && each.snapshot.hash === incumbent?.hash);
        return { place: path, current: stays, earlier };
      }
      const { version, hash, source } = snapshot;
      taken.set(version, { hash, source, place: path, lies: true });
      // What came back while it was still running is what runs.
      const same = running.find((each) => keyOf(each) === keyOf(candidate));
      same?.record.update({ signedBy: snapshot.signedBy });
      return { place: path, current: same ?? candidate, earlier };
    });
  }

  /** A content from the store as a candidate of its own. */
  restored(snapshot: Snapshot, place: string): Candidate {
    const key = keyOf({ snapshot, place });
    const record = this.records.get(key) ?? new StateRecord(place, this.journal);
    this.records.set(key, record);
    const { name, version, hash, signedBy } = snapshot;
    record.update({ name, version, hash, signedBy });
    return { snapshot, record, place };
  }

  /** Forgets the records of candidates that nobody needs any more. */
  forget(needed: ReadonlySet<StateRecord>): void {
    for (const [key, record] of this.records) if (!needed.has(record)) this.records.delete(key);
  }

  /** By version. Those whose place is gone count no more. */
  private incumbents(running: readonly Candidate[]): Map<string, Incumbent> {
    const taken = new Map<string, Incumbent>();
    const take = ({ version, hash, source }: Snapshot, place: string): void => {
      if (taken.has(version)) return;
      const lies = this.contents.some(
        ({ path, current }) => path === place && current?.snapshot.hash === hash,
      );
      taken.set(version, { hash, source, place, lies });
    };
    for (const { snapshot, place } of running) {
      if (this.contents.some(({ path }) => path === place)) take(snapshot, place);
    }
    for (const { path, earlier } of this.contents) for (const each of earlier) take(each, path);
    return taken;
  }

  private mayReplace(incumbent: Incumbent, place: string): boolean {
    return this.development && incumbent.place === place;
  }
}

/**
 * Why a content is not taken: another one has its name and version, or the same lies in another place. Two contents
 * under one version, by the plugin's own files, are refused because nobody could say any more which of them answers. Admins read it, so it says
 * nothing of where the folders lie.
 */
function refusal({ snapshot, place }: Candidate, incumbent: Incumbent): string | undefined {
  const label = `${snapshot.name}@${snapshot.version}`;
  if (incumbent.source !== snapshot.source) {
    const origin = incumbent.place === place ? "which was here before" : `from ${basename(incumbent.place)}`;
    return (
      `Another content with the name and version ${label}, ${origin}, stays: that one has the hash ` +
      `${incumbent.hash}, this one ${snapshot.hash}; give it a version of its own.`
    );
  }
  if (incumbent.place === place || !incumbent.lies) return undefined;
  return `The same ${label} is already taken from ${basename(incumbent.place)}.`;
}
