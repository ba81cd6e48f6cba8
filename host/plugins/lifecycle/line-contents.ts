import type { Journal } from "../events/plugin-event.js";
import { StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import { type Candidate, type Contribution, keyOf } from "./candidate.js";
import { type Incumbent, refusal } from "./refusal.js";

/** What lies at a place of a drop-in folder now, as far as it is of this plugin. */
export interface PlaceContent {
  readonly path: string;
  /** What was complete there last; undefined when nothing was, or when it cannot be reached. */
  readonly current: { snapshot: Snapshot; record: StateRecord } | undefined;
  /** What served well from there before. */
  readonly fallback: Snapshot | undefined;
}

/** The contents of one plugin in all of its places, as candidates that stay the same while the contents do. */
export class LineContents {
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
    return this.contents.map(({ path, current: found, fallback }) => {
      const before = fallback && this.restored(fallback, path);
      if (found === undefined) return { place: path, current: undefined, fallback: before };
      const { snapshot, record } = found;
      const incumbent = taken.get(snapshot.version);
      const candidate = { snapshot, record, place: path };
      const reason =
        incumbent && !this.mayReplace(incumbent, path) ? refusal(candidate, incumbent) : undefined;
      if (reason !== undefined) {
        record.enter("rejected", reason);
        const stays = running.find((each) => each.place === path && each.snapshot.hash === incumbent?.hash);
        return { place: path, current: stays, fallback: before };
      }
      const { version, hash, source } = snapshot;
      taken.set(version, { hash, source, place: path, lies: true });
      // What came back while it was still running is what runs.
      const same = running.find((each) => keyOf(each) === keyOf(candidate));
      same?.record.learn({ signedBy: snapshot.signedBy });
      return { place: path, current: same ?? candidate, fallback: before };
    });
  }

  /** A content from the store as a candidate of its own. */
  restored(snapshot: Snapshot, place: string): Candidate {
    const key = keyOf({ snapshot, place });
    const record = this.records.get(key) ?? new StateRecord(place, this.journal);
    this.records.set(key, record);
    const { name, version, hash, signedBy } = snapshot;
    record.learn({ name, version, hash, signedBy });
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
    for (const { path, fallback } of this.contents) if (fallback !== undefined) take(fallback, path);
    return taken;
  }

  private mayReplace(incumbent: Incumbent, place: string): boolean {
    return this.development && incumbent.place === place;
  }
}
