import type { StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";

/** A content of a plugin version that could be started. */
export interface Candidate {
  readonly snapshot: Snapshot;
  readonly record: StateRecord;
  /** Path of the place in a drop-in folder that it came from. */
  readonly place: string;
}

/** What a place gives to the choice: what lies there, and what served well from there before, in case that does not. */
export interface Contribution {
  readonly place: string;
  readonly current: Candidate | undefined;
  readonly fallback: Candidate | undefined;
}

/** The same for candidates that would run the same content for the same place. */
export function keyOf({
  snapshot,
  place,
}: Pick<Candidate, "place"> & { snapshot: { hash: string } }): string {
  return `${snapshot.hash} ${place}`;
}

/** One of each, in order. */
export function distinct(candidates: Iterable<Candidate>): Candidate[] {
  const byKey = new Map<string, Candidate>();
  for (const each of candidates) if (!byKey.has(keyOf(each))) byKey.set(keyOf(each), each);
  return [...byKey.values()];
}
