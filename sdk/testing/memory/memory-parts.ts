import type { Clock } from "../../runtime/calls/clock.js";
import type { CallOrigin } from "../../runtime/calls/live-plugin.js";
import { untraced } from "../../runtime/calls/work.js";
import { localeWithoutSession } from "../../runtime/request/plugin-call.js";
import type { HostServices } from "../../runtime/services/host-services.js";
import type { CollectedLog } from "./collected-log.js";
import type { CollectedMetrics } from "./collected-metrics.js";
import type { SessionState } from "./memory-sessions.js";

/** What the plugins of a test host share. */
export interface MemoryParts {
  readonly services: HostServices;
  readonly log: CollectedLog;
  readonly metrics: CollectedMetrics;
  readonly clock: Clock;
}

/** Where clients would reach a test host. */
export const baseUrl = "http://slipway.test";

/** Milliseconds for routes without a timeout, as at a host without settings. */
export const defaultTimeout = 60_000;

/** A client's request, of which everything that plugins do for it is a part. `plugin` is name and version of the one it is for. */
export function memoryOrigin(
  { log }: Pick<MemoryParts, "log">,
  plugin: string,
  request: Pick<CallOrigin, "requestId" | "signal" | "deadline"> & { session: SessionState | undefined },
): CallOrigin {
  const { requestId, session } = request;
  return {
    ...request,
    release: undefined,
    locale: session?.locale ?? localeWithoutSession,
    baseUrl,
    work: untraced(log.of({ plugin, requestId })),
  };
}
