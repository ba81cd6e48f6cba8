import type { StateRecord } from "../plugin-state.js";
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
