/** How busy the host is and what it holds, as its parts know it. */
import type { ArtifactStore } from "../files/artifact-store.js";
import type { PluginQueue, PluginQueues } from "../http/back-pressure.js";
import type { BrowserStatus, HostStatus, InstanceStatus, PluginLoad } from "../observability/host-status.js";
import type { PdfService } from "../pdf/pdf-service.js";
import type { PluginState } from "../plugins/plugin-state.js";
import type { SessionStore } from "../sessions/session-store.js";
import { processMemory } from "../system/process-memory.js";

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
  return processMemory(processId).then((memory) =>
    memory === undefined ? instance : { ...instance, memory },
  );
}
