import type { CallOrigin } from "../../runtime/calls/live-plugin.js";
import { untraced } from "../../runtime/calls/work.js";
import { localeWithoutSession } from "../../runtime/request/plugin-call.js";
import type { HostServices } from "../../runtime/services/host-services.js";
import type { CollectedLog } from "./collected-log.js";
import type { CollectedMetrics } from "./collected-metrics.js";
import type { FakeClock } from "./fake-clock.js";
import type { MemoryFiles } from "./memory-files.js";
import type { MemorySessions, SessionState } from "./memory-sessions.js";

/** What a test host is made of, apart from plugins. */
export interface MemoryParts {
  readonly services: HostServices;
  readonly files: MemoryFiles;
  readonly sessions: MemorySessions;
  readonly log: CollectedLog;
  readonly metrics: CollectedMetrics;
  readonly clock: FakeClock;
}

/** Where clients would reach a test host. */
export const baseUrl = "http://slipway.test";

/** Milliseconds for routes without a timeout, as at a host without settings. */
export const defaultTimeout = 60_000;

/** Bytes of a request's body, as at a host without settings. */
export const largestBody = 1024 * 1024;

/** A client's request, of which everything that plugins do for it is a part. `plugin` is name and version of the one it is for. */
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
