/** How busy the host is and what it holds, in numbers; for `/api/status` and for metrics alike. */
import { type Static, Type } from "@slipway/sdk";
import type { ArtifactStore } from "./files/artifact-store.js";
import type { PluginQueue, PluginQueues } from "./middleware/back-pressure.js";
import type { PdfService } from "./pdf/pdf-service.js";
import type { PluginState } from "./plugins/plugin-state.js";
import { residentMemory } from "./resident-memory.js";
import type { SessionStore } from "./sessions/session-store.js";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const bytes = (description: string) => Type.Integer({ minimum: 0, description: `Bytes ${description}` });

/** How busy the requests of one plugin are, all its versions together. */
export const PluginLoad = Type.Object({
  plugin: Type.String(),
  working: count("Requests that the plugin works on."),
  waiting: count("Requests that wait for their turn."),
  concurrency: count("The most that may work."),
  queue: count("The most that may wait; what comes then gets 503."),
  refused: count("Requests that got this 503 since the host started."),
});
export type PluginLoad = Static<typeof PluginLoad>;

/** How the browser that prints is doing. */
export const BrowserStatus = Type.Object({
  state: Type.Enum(["starting", "ready", "degraded", "unavailable", "stopped"]),
  detail: Type.String({ description: "One sentence; how to mend it where something is wrong." }),
  version: Type.Optional(Type.String()),
  pages: count("Pages that are open."),
  busy: count("Documents that are being printed."),
  waiting: count("Documents that wait for a page."),
  restarts: count("How often the browser ended and was started again."),
});
export type BrowserStatus = Static<typeof BrowserStatus>;

/** Open sessions, and what they take. */
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

/** Every call looks anew. */
export interface HostStatus {
  /** Requests of all kinds that have no whole answer yet. */
  running(): number;
  /** By plugin; those that were asked for at least once. */
  plugins(): PluginLoad[];
  browser(): BrowserStatus;
  sessions(): Promise<SessionsStatus>;
  files(): FilesStatus;
  /** Of plugins that serve, stand by or are being probed. */
  instances(): Promise<InstanceStatus[]>;
}

/** The parts of the host that know the numbers. */
export interface StatusParts {
  inFlight: { readonly count: number };
  queues: PluginQueues;
  pdf: Pick<PdfService, "health">;
  sessions: Pick<SessionStore, "usage">;
  artifacts: Pick<ArtifactStore, "usage">;
  states(): readonly PluginState[];
}

/** The numbers of these parts. */
export function hostStatus(parts: StatusParts): HostStatus {
  return {
    running: () => parts.inFlight.count,
    plugins: () => [...parts.queues].map(([plugin, queue]) => pluginLoad(plugin, queue)),
    browser: () => browserStatus(parts.pdf),
    sessions: async () => {
      const { sessions: open, bytes } = await parts.sessions.usage();
      return { open, bytes };
    },
    files: () => parts.artifacts.usage(),
    instances: () => Promise.all(parts.states().flatMap((state) => instanceOf(state) ?? [])),
  };
}

function pluginLoad(plugin: string, { limits, requests }: PluginQueue): PluginLoad {
  const { concurrency, queue } = limits();
  const { running: working, waiting, refused } = requests;
  return { plugin, working, waiting, concurrency, queue, refused };
}

function browserStatus(pdf: StatusParts["pdf"]): BrowserStatus {
  const { state, detail, version, pages, running, queued, restarts } = pdf.health();
  const facts = { state, detail, pages, busy: running, waiting: queued, restarts };
  return version === undefined ? facts : { ...facts, version };
}

/** Undefined for a version that has no process right now. */
function instanceOf({ name, version, processId }: PluginState): Promise<InstanceStatus> | undefined {
  if (name === undefined || version === undefined || processId === undefined) return undefined;
  const instance = { plugin: name, version, processId };
  return residentMemory(processId).then((memory) =>
    memory === undefined ? instance : { ...instance, memory },
  );
}
