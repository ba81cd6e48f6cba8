/** What a host answers about its plugins, as far as tests read it; `GET /openapi.json` describes all of it. */

export type PluginStage =
  | "discovered"
  | "waiting"
  | "verified"
  | "staged"
  | "standby"
  | "starting"
  | "probing"
  | "live"
  | "draining"
  | "stopped"
  | "rejected"
  | "failed"
  | "quarantined"
  | "disabled"
  | "needs-grant";

/** A version in a drop-in folder, or one that still runs. */
export interface PluginState {
  name?: string;
  version?: string;
  /** The name in the drop-in folder. */
  folder: string;
  /** Of its content. */
  hash?: string;
  stage: PluginStage;
  reason?: string;
  releases: string[];
  replacements: number;
  /** Milliseconds since the epoch. */
  probationUntil?: number;
  processId?: number;
}

export interface PluginOverview {
  disabled: boolean;
  /** Release to the version that answers there. */
  releases: Record<string, string>;
  versions: PluginState[];
  /** The one that served last comes first. */
  kept: { version: string; hash: string }[];
  quarantined: { version: string; hash: string; reason: string }[];
  /** By release. */
  pins: Record<string, { version: string; over: string[]; actor: string }>;
}

/** The version of a release after a rollback. */
export interface Rollback {
  release: string;
  from?: string;
  to: string;
}

/** An entry of the event log. */
export interface PluginEvent {
  id: number;
  time: string;
  kind: string;
  plugin?: string;
  version?: string;
  release?: string;
  from?: string;
  to?: string;
  reason?: string;
  actor: string;
}
