/** Collects load and usage of the host from its parts. */
import type { Members } from "../engine/members.js";
import type { ArtifactStore } from "../files/files.js";
import type { PluginQueue, PluginQueues } from "../http/back-pressure.js";
import type { BrowserStatus, HostStatus, InstanceStatus, PluginLoad } from "../observability/host-status.js";
import type { PdfService } from "../pdf/pdf.js";
import type { SwitchStore } from "../plugins/fleet/fleet.js";
import type { PluginState } from "../plugins/plugin-state.js";
import type { SessionStore } from "../sessions/sessions.js";
import { processMemory } from "../system/process-memory.js";

export interface StatusParts {
  inFlight: { readonly count: number };
  queues: PluginQueues;
  pdf: Pick<PdfService, "health">;
  sessions: Pick<SessionStore, "usage">;
  artifacts: Pick<ArtifactStore, "usage">;
  members: Pick<Members, "list"> | undefined;
  switches: Pick<SwitchStore, "list"> | undefined;
  states(): readonly PluginState[];
}

/** The status of these parts. */
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
    members: async () => parts.members?.list(),
    switches: async () => parts.switches?.list(),
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

/** Undefined for a version without a process. */
function instanceOf({ name, version, processId }: PluginState): Promise<InstanceStatus> | undefined {
  if (name === undefined || version === undefined || processId === undefined) return undefined;
  const instance = { plugin: name, version, processId };
  return processMemory(processId).then((memory) =>
    memory === undefined ? instance : { ...instance, memory },
  );
}
