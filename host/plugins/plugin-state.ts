/** The lifecycle of a plugin version, as admins see it. */
import { basename } from "node:path";
import { type Static, Type } from "@slipway/sdk";
import type { EventFacts, Journal } from "../observability/events/plugin-event.js";
import { orUndefined } from "../system/or-undefined.js";
import { MissingGrant, Permissions } from "./permissions/permissions.js";

/**
 * `waiting`: incomplete. `rejected`: the plugin's content is invalid (manifest, bundle, version taken, signature).
 * `failed`: the start failed. `standby`: it can serve, but no release asks for it, or it stands by for its successor.
 * `quarantined`: it failed while serving. `disabled`: an admin has disabled it. `needs-grant`: its manifest asks for more than
 * it is granted.
 */
export const Stage = Type.Enum(
  [
    "discovered",
    "waiting",
    "verified",
    "staged",
    "standby",
    "starting",
    "probing",
    "live",
    "draining",
    "stopped",
    "rejected",
    "failed",
    "quarantined",
    "disabled",
    "needs-grant",
  ],
  { title: "PluginStage" },
);
export type Stage = Static<typeof Stage>;

/** Stages of versions that serve, will serve, or drain. */
export const presentStages: readonly Stage[] = ["starting", "probing", "live", "standby", "draining"];

/** Stages of versions without a process; each can follow from another at any time. */
const idle = ["standby", "rejected", "failed", "quarantined", "disabled", "needs-grant"] as const;

/** By stage: the possible next stages. */
const transitions: Readonly<Record<Stage, readonly Stage[]>> = {
  // The record of a stored content begins with its start.
  discovered: ["waiting", "verified", "rejected", "starting"],
  waiting: ["verified", "rejected"],
  verified: ["staged", "rejected"],
  staged: ["starting", ...idle],
  starting: ["probing", "live", "standby", "draining", "failed"],
  probing: ["live", "standby", "draining", "failed"],
  // A lost instance is restarted in every stage.
  live: ["standby", "starting", "draining"],
  draining: ["starting", "stopped"],
  stopped: ["starting", ...idle],
  standby: ["live", "starting", "draining", ...idle],
  rejected: ["starting", ...idle],
  failed: ["starting", "live", "draining", ...idle],
  quarantined: ["starting", ...idle],
  disabled: ["starting", ...idle],
  "needs-grant": ["starting", ...idle],
};

/** Whether a version may go from one stage to another. A stage may follow itself with another reason. */
function mayFollow(from: Stage, to: Stage): boolean {
  return from === to || transitions[from].includes(to);
}

const texts = (description: string) => Type.Immutable(Type.Array(Type.String(), { description }));

/** A requirement of one plugin on another. */
export const Requirement = Type.Object(
  {
    plugin: Type.String({ description: 'Name or alias with a range, such as "Reporter@^1.0.0".' }),
    service: Type.String(),
    met: Type.Boolean({ description: "Whether a live plugin offers it." }),
  },
  { title: "PluginRequirement" },
);
export type Requirement = Static<typeof Requirement>;

/** A file that a plugin version brings besides its code. */
export const PluginAsset = Type.Object(
  {
    path: Type.String({ description: 'Below the plugin\'s folder, "/" between names.' }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  },
  { title: "PluginAsset" },
);
export type PluginAsset = Static<typeof PluginAsset>;

/** The last run of a schedule, as it is stored and shown. */
export const LastRun = Type.Object(
  {
    due: Type.Number({ description: "When it was due, in milliseconds since the epoch." }),
    started: Type.Number({ description: "Milliseconds since the epoch." }),
    duration: Type.Optional(Type.Number({ description: "Milliseconds; missing while it goes on." })),
    outcome: Type.Optional(
      Type.String({
        description:
          '"done", or the id of the error that it ended with; missing while it goes on, and when the host ended during it.',
      }),
    ),
  },
  { title: "ScheduleRun" },
);
export type LastRun = Static<typeof LastRun>;

/** A schedule of a live plugin, as admins see it. */
export const ScheduleState = Type.Object(
  {
    name: Type.String(),
    cron: Type.String({ description: "Five fields, or six with seconds." }),
    timeZone: Type.String({ description: "IANA name." }),
    summary: Type.String(),
    nextRun: orUndefined(Type.Number({ description: "Milliseconds since the epoch." })),
    lastRun: orUndefined(LastRun),
    missed: Type.Integer({
      minimum: 0,
      description: "Due times without a run since the last one; 100 stands for more, too.",
    }),
  },
  { title: "PluginSchedule" },
);
export type ScheduleState = Static<typeof ScheduleState>;

/** The state of one candidate, with its reason. */
export const PluginState = Type.Object(
  {
    name: orUndefined(
      Type.String({ description: "Public name; missing as long as there is no readable manifest." }),
    ),
    version: orUndefined(Type.String()),
    folder: Type.String({ description: "Where it was found: the name in the drop-in folder." }),
    hash: orUndefined(Type.String({ description: "Of the snapshot." })),
    stage: Stage,
    reason: orUndefined(
      Type.String({ description: "One or more sentences for people; missing when all is well." }),
    ),
    since: Type.Number({ description: "Milliseconds since the epoch." }),
    releases: texts("Releases that it serves."),
    probationUntil: orUndefined(
      Type.Number({
        description:
          "While the version that it replaced stands by: until when at the latest, in milliseconds since the epoch.",
      }),
    ),
    services: Type.Record(Type.String(), Type.Immutable(Type.Array(Type.String())), {
      description: "What it offers to other plugins: names of services, and of the methods of each.",
    }),
    requirements: Type.Immutable(
      Type.Array(Requirement, { description: "What it asked other plugins for while it was set up." }),
    ),
    schedules: orUndefined(
      Type.Immutable(
        Type.Array(ScheduleState, {
          description: "Its work by the clock; missing when it has none or another version runs it.",
        }),
      ),
    ),
    sessionHooks: orUndefined(
      Type.Immutable(
        Type.Array(Type.Enum(["opened", "closed"]), {
          description: "What it runs when sessions are opened or have ended; missing when it has none.",
        }),
      ),
    ),
    permissions: orUndefined(Permissions),
    missingGrants: Type.Immutable(
      Type.Array(MissingGrant, { description: "What it asks for and is not granted." }),
    ),
    warnings: texts("What does not keep it from serving, in sentences for people."),
    replacements: Type.Integer({ minimum: 0, description: "How often its instance had to be replaced." }),
    processId: orUndefined(Type.Integer({ description: "Process of the instance that takes requests." })),
    signedBy: orUndefined(Type.String({ description: "Name of the trusted key that signed it." })),
    assets: orUndefined(
      Type.Immutable(
        Type.Array(PluginAsset, {
          description: "The files that it brings besides its code; not in lists of plugins.",
        }),
      ),
    ),
  },
  { title: "PluginState" },
);
export type PluginState = Static<typeof PluginState>;

/** The state of one candidate; every change of stage is an event. */
export class StateRecord {
  private state: PluginState;

  constructor(
    folder: string,
    private readonly journal: Journal,
  ) {
    this.state = {
      name: undefined,
      version: undefined,
      folder,
      hash: undefined,
      stage: "discovered",
      reason: undefined,
      since: Date.now(),
      releases: [],
      probationUntil: undefined,
      services: {},
      requirements: [],
      schedules: undefined,
      sessionHooks: undefined,
      permissions: undefined,
      missingGrants: [],
      warnings: [],
      replacements: 0,
      processId: undefined,
      signedBy: undefined,
      assets: undefined,
    };
  }

  /** Creates a new record for the same content. */
  another(): StateRecord {
    const { folder, name, version, hash, signedBy, assets, permissions } = this.state;
    const record = new StateRecord(folder, this.journal);
    record.update({ name, version, hash, signedBy, assets, permissions });
    return record;
  }

  get current(): PluginState {
    return this.state;
  }

  /** Updates facts without a change of stage. */
  update(facts: Partial<Omit<PluginState, "stage" | "since">>): void {
    this.state = { ...this.state, ...facts };
  }

  /**
   * Sets stage and reason; no effect when both are unchanged. A transition outside the table is a bug of the host: it
   * is logged, and the stage is set nevertheless.
   */
  transition(stage: Stage, reason?: string, actor = "host"): void {
    const { stage: from, reason: before, name, version, hash, folder } = this.state;
    if (stage === from && reason === before) return;
    if (!mayFollow(from, stage))
      this.journal.fault("A plugin version made a stage transition that the table of stages does not allow", {
        plugin: name,
        version,
        place: basename(folder),
        from,
        to: stage,
      });
    this.state = { ...this.state, stage, reason, since: Date.now() };
    this.journal.note({
      kind: "stage",
      ...(name === undefined ? {} : { plugin: name }),
      ...(version === undefined ? {} : { version }),
      ...(hash === undefined ? {} : { hash }),
      place: basename(folder),
      from,
      to: stage,
      ...(reason === undefined ? {} : { reason }),
      actor,
    });
  }
}

/** Buffers events until `release`. */
export class BufferedJournal implements Journal {
  private buffered: EventFacts[] | undefined = [];

  constructor(private readonly journal: Journal) {}

  note(event: EventFacts): void {
    if (this.buffered === undefined) this.journal.note(event);
    else this.buffered.push(event);
  }

  fault(message: string, fields: Record<string, unknown>): void {
    this.journal.fault(message, fields);
  }

  /** Passes the buffered events on, and later ones at once. */
  release(): void {
    for (const event of this.buffered ?? []) this.journal.note(event);
    this.buffered = undefined;
  }
}
