import { type CallOrigin, type HostServices, localeWithoutSession, untraced } from "../../runtime/host.js";
import type { FakeClock } from "./fake-clock.js";
import type { MemoryFiles } from "./memory-files.js";
import type { MemorySessions, SessionState } from "./memory-sessions.js";
import type { CollectedLog, CollectedMetrics } from "./observations.js";

/** The parts of a test host, apart from plugins. */
export interface MemoryParts {
  readonly services: HostServices;
  readonly files: MemoryFiles;
  readonly sessions: MemorySessions;
  readonly log: CollectedLog;
  readonly metrics: CollectedMetrics;
  readonly clock: FakeClock;
  /** Whether the log of a request is printed when the plugin fails. */
  readonly printsFailures: boolean;
}

/** The origin of the test host's URLs. */
export const baseUrl = "http://slipway.test";

/** Milliseconds for routes without a timeout, as on a host with default settings. */
export const defaultTimeout = 60_000;

/** Maximum bytes of a request body, as on a host with default settings. */
export const largestBody = 1024 * 1024;

/**
 * The client request that all plugin calls on its behalf belong to. `plugin` is name and version of the
 * plugin that receives it.
 */
export function memoryOrigin(
  { log }: Pick<MemoryParts, "log">,
  plugin: string,
  request: Pick<CallOrigin, "requestId" | "signal" | "deadline"> & { session: SessionState | undefined },
): CallOrigin {
  const { requestId, session } = request;
  return {
    ...request,
    client: undefined,
    release: undefined,
    locale: session?.locale ?? localeWithoutSession,
    baseUrl,
    work: untraced(log.of({ plugin, requestId })),
  };
}
