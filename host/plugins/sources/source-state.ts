import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
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

/** What a look at a place is about. */
export interface PlaceLook {
  /** At everything, or at what may have come to something new. */
  full: boolean;
  /** Somebody wants it: what the host failed to do is tried again. */
  asked: boolean;
  /** It is the first one of the host at this place: what has been quiet for long counts as complete. */
  starting: boolean;
}

/** A look at all places of a folder. */
export interface FolderLook extends PlaceLook {
  /** Paths without symbolic links at which something happened. */
  woken: readonly string[];
}

/** What the intake needs of others. */
export interface IntakeOptions {
  /** The drop-in folders; of what lies in several of them, the first ones come first. */
  folders: readonly string[];
  configuration: Pick<PluginsConfiguration, "watch" | "settlingTime" | "rescanInterval" | "archives">;
  /**
   * What a folder lacks of what its list of files names, as a sentence such as "17 of 402 files are there."; undefined
   * when complete. `listed` says whether it has a list. Throws a `Rejection`.
   */
  completeness(folder: string): Promise<{ listed: boolean; waiting: string | undefined }>;
  /** Unpacks a complete archive; gives the folder. Throws a `Rejection`. */
  unpack(archive: string): Promise<string>;
  /** Makes a complete folder into a snapshot, telling the record what it learns. Throws a `Rejection`. */
  stage(folder: string, record: StateRecord): Promise<Snapshot>;
  journal: Journal;
  log: Log;
  /** Called after every change of `places()`. */
  changed(): void;
}
