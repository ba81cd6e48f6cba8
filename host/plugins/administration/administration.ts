/**
 * Administration: what admins see of plugins and what they can do with them while the host runs.
 *
 * Has the contract between `plugins.ts`, which carries out the operations, and the API, the installation of archives and
 * the command line, which call them: the interface, the schemas of its answers, and its errors. Owns no state.
 */
import { RequestError, type Static, Type } from "@slipway/sdk";
import { PluginGrants } from "../../configuration/plugin-grants.js";
import { orUndefined } from "../../system/or-undefined.js";
import type { ConfigurationRequest, PluginConfiguration } from "../configuration/configuration.js";
import { PluginState } from "../plugin-state.js";

const closed = { additionalProperties: false } as const;
const Time = Type.String({ format: "date-time", description: "UTC." });
const content = {
  version: Type.String(),
  hash: Type.String({ description: "SHA-256 of the plugin's own files, hexadecimal." }),
};

/** A version that has proven itself. */
export const KeptVersion = Type.Object({ ...content, at: Time }, { ...closed, title: "KeptVersion" });
export type KeptVersion = Static<typeof KeptVersion>;

/** A version that failed while serving and is no longer chosen. */
export const QuarantinedVersion = Type.Object(
  { ...content, at: Time, reason: Type.String() },
  { ...closed, title: "QuarantinedVersion" },
);
export type QuarantinedVersion = Static<typeof QuarantinedVersion>;

/** A rollback of a release: it takes this version, or one that arrived after the rollback. */
export const Pin = Type.Object(
  {
    ...content,
    /** Source hashes of the versions over which the pin takes precedence. */
    over: Type.Array(Type.String()),
    at: Time,
    /** Who ordered it. */
    actor: Type.String(),
  },
  { ...closed, title: "Pin" },
);
export type Pin = Static<typeof Pin>;

/** The known state of one plugin. */
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
    grants: Type.Object(
      {
        configured: Type.Immutable(PluginGrants),
        saved: Type.Immutable(PluginGrants),
      },
      {
        description:
          "What it is granted: by the host's configuration, and by `PUT /api/plugins/{plugin}/grants`.",
      },
    ),
    pins: Type.Record(Type.String(), Pin, { description: "Rollbacks in force, by release." }),
  },
  { title: "PluginOverview" },
);
export type PluginOverview = Static<typeof PluginOverview>;

export interface RollbackRequest {
  /** Public name or alias. */
  plugin: string;
  /** Default: every release that serves the plugin. */
  release?: string | undefined;
  /** A kept version or one in a folder, not in quarantine. Default: the version that served before. */
  version?: string | undefined;
  /** For the event log. */
  actor: string;
}

/** The version of a release after a rollback. */
export const Rollback = Type.Object(
  { release: Type.String(), from: orUndefined(Type.String()), to: Type.String() },
  { title: "Rollback" },
);
export type Rollback = Static<typeof Rollback>;

/** The outcome of a rollback. */
export interface RolledBack {
  rollbacks: Rollback[];
  agreed: AgreementReport | undefined;
}

/** The outcome of an agreement of the hosts that share an engine, for the client that asked for it. */
export const AgreementReport = Type.Object(
  {
    generation: Type.Integer({ minimum: 0, description: "Grows with each switch of the plugin." }),
    hosts: Type.Array(Type.String(), { description: "Names of the hosts that serve it." }),
    waiting: Type.Array(Type.String(), {
      description: "Names of living hosts that it was not waited for any longer.",
    }),
  },
  { title: "Agreed" },
);
export type AgreementReport = Static<typeof AgreementReport>;

/** An archive that an admin gave to this host. */
export interface Upload {
  /** Path of the archive in the drop-in folder. */
  source: string;
  /** Whether hosts that cannot take it are left out. */
  isForced: boolean;
}

/**
 * Operations resolve when they are in force: in a fleet, on all hosts. They reject with a `RequestError` and change nothing: 404
 * `request-not-found` for an unknown plugin, release or version; 409 `plugin-conflict` when there is no version to go
 * back to, or when the version does not start or is in quarantine.
 */
export interface PluginAdministration {
  /** One for each source, and for each version that still runs. */
  states(): PluginState[];
  /** By public name or alias. */
  overview(plugin: string): PluginOverview | undefined;
  rollback(request: RollbackRequest): Promise<RolledBack>;
  /** Unmounts the plugin; its folder stays. Survives a restart. */
  disable(plugin: string, actor: string): Promise<AgreementReport | undefined>;
  /**
   * Ends `disable` and lets failed contents be tried again. With a `version` only that one, even from quarantine:
   * nothing else lifts a quarantine. The version is on trial again.
   */
  enable(plugin: string, actor: string, version?: string): Promise<AgreementReport | undefined>;
  /** Replaces what admins have granted the plugin beside the host's configuration; running versions have it from their next start. */
  grant(plugin: string, actor: string, grants: PluginGrants): Promise<AgreementReport | undefined>;
  /**
   * The configuration of a plugin. Throws 404 `request-not-found`, and 409 `plugin-conflict` while no version has reported its
   * schema.
   */
  configuration(plugin: string): PluginConfiguration;
  /**
   * Saves a change of a plugin's configuration and puts it into force. Also rejects with 400 `request-bad-request` for
   * what its schema does not accept. Returns the names of the changed members.
   */
  configure(request: ConfigurationRequest): Promise<string[]>;
  /** Scans the drop-in folders now; resolves when every complete source serves or has failed. */
  scan(): Promise<void>;
  /** Removes a refused upload from its folder. Resolves when the host has forgotten it, so that it may come again at once. */
  withdraw(source: string): Promise<void>;
  /** Announces an upload before the sources find it. Throws 503 while this host cannot offer it to the others of a fleet. */
  expect(upload: Upload): void;
  /**
   * The agreement on an upload, once all hosts of a fleet serve it; undefined on a host by itself and for an upload that this host
   * has refused. Rejects with 409 `plugin-conflict` when the hosts were busy with another switch.
   */
  agreed(upload: Upload): Promise<AgreementReport | undefined>;
}

/** 409: the current state does not permit the operation. */
export function conflict(message: string): RequestError {
  return new RequestError({ id: "plugin-conflict", code: 409, message });
}

/** 422: the plugin was refused, or does not start. */
export function pluginRejected(
  message: string,
  state?: Partial<Pick<PluginState, "name" | "version" | "stage" | "reason">>,
): RequestError {
  const { name, version, stage, reason } = state ?? {};
  return new RequestError({
    id: "plugin-rejected",
    code: 422,
    message,
    ...(state === undefined ? {} : { additionalInformation: { plugin: name, version, stage, reason } }),
  });
}

/** 404: not found; `there` lists the existing names. */
export function missing(message: string, there: Record<string, readonly string[]> = {}): RequestError {
  return new RequestError({ id: "request-not-found", code: 404, message, additionalInformation: there });
}

/** Throws the first failure of tasks that ended together. */
export function throwFailed(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
