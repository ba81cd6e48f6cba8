/** What an admin can see and do about plugins while the host runs. */
import type { KeptVersion, Pin, QuarantinedVersion } from "./lifecycle/standing.js";
import type { PluginState } from "./plugin-state.js";

/** One plugin with all that is known of it. */
export interface PluginOverview {
  name: string;
  aliases: readonly string[];
  disabled: boolean;
  /** Release to the version that answers there. */
  releases: Readonly<Record<string, string>>;
  /** What lies in the folders, and what still runs. */
  versions: readonly PluginState[];
  /** What a rollback can choose from, the one that served last first. */
  kept: readonly KeptVersion[];
  quarantined: readonly QuarantinedVersion[];
  /** Rollbacks in force, by release. */
  pins: Readonly<Record<string, Pin>>;
}

export interface RollbackRequest {
  /** Public name or alias. */
  plugin: string;
  /** Without it, every release that serves the plugin. */
  release?: string | undefined;
  /** One that is kept or lies in a folder; without it the one that served before. */
  version?: string | undefined;
  /** Who wants it, for the event log. */
  actor: string;
}

/** What a release answers with after a rollback. */
export interface Rollback {
  release: string;
  from: string | undefined;
  to: string;
}

/**
 * Each ends when it is in force. They end with a `RequestError`: 404 `request-not-found` for an unknown plugin, release or
 * version, 409 `plugin-conflict` when there is nothing to go back to, or when the version does not come up; then everything
 * stays as it was.
 */
export interface PluginAdministration {
  /** One for each content that was found, and for each that still runs. */
  states(): PluginState[];
  /** By public name or alias. */
  overview(plugin: string): PluginOverview | undefined;
  rollback(request: RollbackRequest): Promise<Rollback[]>;
  /** Unmounts the plugin; its folder stays. Survives a restart. */
  disable(plugin: string, actor: string): Promise<void>;
  /** Ends `disable`, and gives what failed or was quarantined another chance; `version` only that one. */
  enable(plugin: string, actor: string, version?: string): Promise<void>;
  /** Looks at the drop-in folders now; ends when what is complete there serves or has failed. */
  look(): Promise<void>;
}
