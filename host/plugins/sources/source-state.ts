import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import type { StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";

/** One source of a drop-in folder: a folder, a link to one, or an archive. */
export interface SourceState {
  /** Absolute; identifies the source across changes of its content. */
  readonly path: string;
  /** State of the current content. New content gets a new record. */
  readonly record: StateRecord;
  /** Undefined while the content is incomplete or refused; the record has the reason. */
  readonly snapshot: Snapshot | undefined;
}

/** The plugins in the drop-in folders, kept up to date. */
export interface Intake {
  /** Resolves when every present source is staged, refused, or found incomplete. */
  start(): Promise<void>;
  /** Ordered by folder, then by name. A source stays while it may be under replacement. */
  sources(): readonly SourceState[];
  /** Scans everything now; resolves when every source present at the call is staged, refused, or found incomplete. */
  scan(): Promise<void>;
  /**
   * Resolves when no source is being copied, or after a timeout. Without it, clients would find no plugin after a
   * start.
   */
  waitForPendingSources(): Promise<void>;
  /** Stops staging. */
  stop(): Promise<void>;
}

/** Options for the scan of a source. */
export interface SourceScan {
  /** Scan all sources, not only those that may have changed. */
  full: boolean;
  /** Requested by an admin: failures of the host are retried. */
  requested: boolean;
  /** First scan of this source since the start: content without recent changes counts as complete. */
  starting: boolean;
}

/** Options for the scan of a folder. */
export interface FolderScan extends SourceScan {
  /** Paths of events, without symbolic links. */
  events: readonly string[];
}

/** Dependencies of the intake. */
export interface IntakeOptions {
  /** The drop-in folders, in the order of their sources. */
  folders: readonly string[];
  configuration: Pick<PluginsConfiguration, "watch" | "settlingTime" | "rescanInterval" | "archives">;
  /**
   * The files that a folder lacks according to its file list, as a sentence such as "17 of 402 files are there.";
   * undefined when complete. `listed`: whether it has a list. Throws a `Rejection`.
   */
  completeness(folder: string): Promise<{ listed: boolean; waiting: string | undefined }>;
  /** Unpacks a complete archive; returns the folder. Throws a `Rejection`. */
  unpack(archive: string): Promise<string>;
  /** Creates a snapshot of a complete folder and updates the record. Throws a `Rejection`. */
  stage(folder: string, record: StateRecord): Promise<Snapshot>;
  journal: Journal;
  log: Log;
  /** Called after every change of `sources()`. */
  changed(): void;
}
