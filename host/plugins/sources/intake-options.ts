import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import type { StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";

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
