/** Load and contents of the host, in numbers; for `/api/status` and metrics. */
import { type Static, Type } from "@slipway/sdk";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const bytes = (description: string) => Type.Integer({ minimum: 0, description: `Bytes ${description}` });

/** The load of one plugin, all its versions together. */
export const PluginLoad = Type.Object({
  plugin: Type.String(),
  working: count("Requests that the plugin works on."),
  waiting: count("Requests that wait for their turn."),
  concurrency: count("The most that may work."),
  queue: count("The most that may wait; what comes then gets 503."),
  refused: count("Requests that got this 503 since the host started."),
});
export type PluginLoad = Static<typeof PluginLoad>;

/** State and load of the printing browser. */
export const BrowserStatus = Type.Object({
  state: Type.Enum(["starting", "ready", "degraded", "unavailable", "stopped"]),
  detail: Type.String({ description: "One sentence; for a problem, with its fix." }),
  version: Type.Optional(Type.String()),
  pages: count("Pages that are open."),
  busy: count("Documents that are being printed."),
  waiting: count("Documents that wait for a page."),
  restarts: count("How often the browser ended and was started again."),
});
export type BrowserStatus = Static<typeof BrowserStatus>;

/** Open sessions and their size. */
export const SessionsStatus = Type.Object({ open: count("Sessions."), bytes: bytes("of their projects.") });
export type SessionsStatus = Static<typeof SessionsStatus>;

/** Generated files. */
export const FilesStatus = Type.Object({
  count: count("Files."),
  bytes: bytes("of all of them."),
  maximumBytes: bytes("that there may be."),
  evicted: count("Files that went before their time, to make room."),
});
export type FilesStatus = Static<typeof FilesStatus>;

/** The process that serves a plugin version. */
export const InstanceStatus = Type.Object({
  plugin: Type.String(),
  version: Type.String(),
  processId: Type.Integer(),
  memory: Type.Optional(bytes("of memory; left out where the system does not say.")),
});
export type InstanceStatus = Static<typeof InstanceStatus>;

const Text = Type.String();

/** Live versions. */
export const ServedReleases = Type.Record(Text, Type.Record(Text, Text), {
  description: "Live versions: release to plugin to version.",
});

/** The facts that a host reports to others with the same engine. */
export const MemberFacts = Type.Object({
  name: Type.String({ description: "Machine and port." }),
  version: Type.String({ description: "Of Slipway." }),
  started: Type.String({ format: "date-time", description: "UTC." }),
  ready: Type.Boolean({ description: "Whether it could serve when it last renewed its lease." }),
  releases: ServedReleases,
  running: count("Requests that it works on."),
  waiting: count("Requests that wait for a plugin."),
  digests: Type.Optional(
    Type.Record(Text, Text, {
      description: "Of what all hosts should have in common and do not share, by its name.",
    }),
  ),
});
export type MemberFacts = Static<typeof MemberFacts>;

export const MemberState = Type.Enum(["alive", "lost"], {
  description: "lost: its lease ended within the last hour, and it was not stopped.",
});

/** A host that shares the engine. */
export const MemberStatus = Type.Object(
  {
    id: Type.String({ description: "Another one each time the host joins." }),
    ...MemberFacts.properties,
    state: MemberState,
    leaseUntil: Type.String({ format: "date-time", description: "UTC, by the clock of the engine." }),
    current: Type.Boolean({ description: "Whether it is the host that gives this answer." }),
  },
  { title: "Member" },
);
export type MemberStatus = Static<typeof MemberStatus>;

/** A switch of all hosts to another generation of one plugin, for admins. */
export const PluginSwitch = Type.Object(
  {
    plugin: Type.String({ description: "Public name." }),
    generation: Type.Integer({ minimum: 1, description: "Grows with each switch of the plugin." }),
    state: Type.Enum(["preparing", "committed", "aborted"]),
    host: Type.String({ description: "Where it was asked for." }),
    begun: Type.String({ format: "date-time", description: "UTC, by the clock of the engine." }),
    deadline: Type.String({ format: "date-time", description: "UTC; when it is given up." }),
    reason: Type.Optional(Type.String({ description: "Why it was aborted." })),
    prepared: Type.Array(Text, { description: "Hosts that could switch." }),
    waiting: Type.Array(Text, { description: "Hosts that have not answered yet." }),
    refused: Type.Array(Type.Object({ host: Text, reason: Text }), {
      description: "Hosts that cannot take it.",
    }),
    serving: Type.Array(Text, { description: "Hosts that serve this generation or a later one." }),
  },
  { title: "PluginSwitch" },
);
export type PluginSwitch = Static<typeof PluginSwitch>;

/** Load and contents of the host, read at each call. */
export interface HostStatus {
  /** Requests of all kinds that have no whole answer yet. */
  running(): number;
  /** By plugin, if it has had a request. */
  plugins(): PluginLoad[];
  browser(): BrowserStatus;
  sessions(): Promise<SessionsStatus>;
  files(): Promise<FilesStatus>;
  /** Of serving, standby and starting versions. */
  instances(): Promise<InstanceStatus[]>;
  /** That share the engine; undefined for an engine of one host. */
  members(): Promise<MemberStatus[] | undefined>;
  /** The last switch of each plugin; undefined for an engine of one host. */
  switches(): Promise<PluginSwitch[] | undefined>;
}
