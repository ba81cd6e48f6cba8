/** What an admin can see and do about plugins while the host runs. */
import { RequestError, type Static, Type } from "@slipway/sdk";
import { orUndefined } from "../../system/or-undefined.js";
import { PluginState } from "../plugin-state.js";
import { KeptVersion, Pin, QuarantinedVersion } from "./rollout-state.js";

/** One plugin with all that is known of it. */
export const PluginOverview = Type.Object(
  {
    name: Type.String(),
    aliases: Type.Immutable(Type.Array(Type.String())),
    disabled: Type.Boolean(),
    releases: Type.Record(Type.String(), Type.String(), {
      description: "Release to the version that answers there.",
    }),
    versions: Type.Immutable(
      Type.Array(PluginState, { description: "What lies in the folders, and what still runs." }),
    ),
    kept: Type.Immutable(
      Type.Array(KeptVersion, {
        description: "What a rollback can choose from, the one that served last first.",
      }),
    ),
    quarantined: Type.Immutable(Type.Array(QuarantinedVersion)),
    pins: Type.Record(Type.String(), Pin, { description: "Rollbacks in force, by release." }),
  },
  { title: "PluginOverview" },
);
export type PluginOverview = Static<typeof PluginOverview>;

export interface RollbackRequest {
  /** Public name or alias. */
  plugin: string;
  /** Without it, every release that serves the plugin. */
  release?: string | undefined;
  /** One that is kept or lies in a folder, and is not in quarantine; without it the one that served before. */
  version?: string | undefined;
  /** Who wants it, for the event log. */
  actor: string;
}

/** What a release answers with after a rollback. */
export const Rollback = Type.Object(
  { release: Type.String(), from: orUndefined(Type.String()), to: Type.String() },
  { title: "Rollback" },
);
export type Rollback = Static<typeof Rollback>;

/**
 * Each ends when it is in force. They end with a `RequestError`: 404 `request-not-found` for an unknown plugin, release or
 * version, 409 `plugin-conflict` when there is nothing to go back to, or when the version does not come up or is in
 * quarantine; then everything stays as it was.
 */
export interface PluginAdministration {
  /** One for each content that was found, and for each that still runs. */
  states(): PluginState[];
  /** By public name or alias. */
  overview(plugin: string): PluginOverview | undefined;
  rollback(request: RollbackRequest): Promise<Rollback[]>;
  /** Unmounts the plugin; its folder stays. Survives a restart. */
  disable(plugin: string, actor: string): Promise<void>;
  /**
   * Ends `disable`, and gives what failed another chance. With a `version` only that one, also when it is in quarantine:
   * nothing else lifts a quarantine. It has to prove itself again.
   */
  enable(plugin: string, actor: string, version?: string): Promise<void>;
  /** Scans the drop-in folders now; ends when what is complete there serves or has failed. */
  scan(): Promise<void>;
}

// How orders of admins end that cannot be carried out.

/** 409: as things stand. */
export function conflict(message: string): RequestError {
  return new RequestError({ id: "plugin-conflict", code: 409, message });
}

/** 404: for what is not there; `there` names what is. */
export function missing(message: string, there: Record<string, readonly string[]> = {}): RequestError {
  return new RequestError({ id: "request-not-found", code: 404, message, additionalInformation: there });
}

/** Throws the first failure of what had to end together. */
export function throwFailed(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
