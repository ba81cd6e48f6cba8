import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import type { StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";

/** One source of a drop-in folder: a folder, a link to one, or an archive. */
export interface SourceState {
  /** Absolute; what stays the same while its content changes. */
  readonly path: string;
  /** State of the current content. New content gets a new record. */
  readonly record: StateRecord;
  /** Undefined while the content is not complete, or when it was refused; the record says why. */
  readonly snapshot: Snapshot | undefined;
}

/** The plugins in the drop-in folders, kept up to date. */
export interface Intake {
  /** Resolves when everything that was there has been looked at: staged, refused, or found incomplete. */
  start(): Promise<void>;
  /** In the order of the folders, then of names. A source stays while it may only be being replaced. */
  sources(): readonly SourceState[];
  /** Scans everything now; resolves when what was there at the call is staged, refused, or found incomplete. */
  scan(): Promise<void>;
  /** Resolves when no source is still being copied, or when that takes too long: clients of a start would find no plugin otherwise. */
  waitForPendingSources(): Promise<void>;
  /** Stages nothing any more. */
  stop(): Promise<void>;
}

/** How a source is scanned. */
export interface SourceScan {
  /** Everything, or only what may have changed. */
  full: boolean;
  /** By request of an admin: what the host failed to do is tried again. */
  requested: boolean;
  /** It is the first one of the host at this source: what has been quiet for long counts as complete. */
  starting: boolean;
}

/** How all sources of a folder are scanned. */
export interface FolderScan extends SourceScan {
  /** Paths without symbolic links at which something happened. */
  events: readonly string[];
}

/** What the intake depends on. */
export interface IntakeOptions {
  /** The drop-in folders; sources of the first ones come first. */
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
  /** Called after every change of `sources()`. */
  changed(): void;
}
