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

/** Such as "oex@1.6.0". */
export function labelOf({ snapshot }: Candidate): string {
  return `${snapshot.name}@${snapshot.version}`;
}
