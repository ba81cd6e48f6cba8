import type { StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";

/** One place of a drop-in folder: a folder, a link to one, or an archive. */
export interface Place {
  /** Absolute; what stays the same while its content changes. */
  readonly path: string;
  /** Of what lies there now. A new content gets a new record. */
  readonly record: StateRecord;
  /** Undefined while the content is not complete, or when it was refused; the record says why. */
  readonly snapshot: Snapshot | undefined;
}

/** What lies in the drop-in folders, kept up to date. */
export interface Intake {
  /** Resolves when everything that was there has been looked at: staged, refused, or found incomplete. */
  start(): Promise<void>;
  /** In the order of the folders, then of names. A place stays for as long as it might only be being replaced. */
  places(): readonly Place[];
  /** Looks at everything now; resolves when what was there at the call is staged, refused, or found incomplete. */
  look(): Promise<void>;
  /** Takes in nothing any more. */
  stop(): Promise<void>;
}
