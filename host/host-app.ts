import { createApp } from "./app.js";
import type { Configuration } from "./configuration/configuration.js";
import type { Development } from "./development/development.js";
import { diskRoom } from "./files/free-disk.js";
import { partsHealth } from "./host-health.js";
import type { HostParts } from "./host-parts.js";
import { type HostStatus, hostStatus } from "./host-status.js";
import type { HostLog } from "./log.js";
import type { PluginQueues } from "./middleware/back-pressure.js";
import { InFlight } from "./middleware/in-flight.js";
import { wantedPlugins } from "./plugins/wanted-plugins.js";
import { RecentRequests } from "./requests/recent-requests.js";
import { requestLines } from "./requests/request-lines.js";
import type { RequestObserver } from "./requests/request-observer.js";

/** What answers with the parts of a host, which requests are in work, and who hears of those that are over; once per host. */
export function hostApp(
  parts: HostParts,
  configuration: Configuration,
  log: HostLog,
  development?: Development,
) {
  const { protection, metrics, tracing, store, artifacts, pdf, templates, events, plugins } = parts;
  const inFlight = new InFlight();
  const queues: PluginQueues = new Map();
  const recent = new RecentRequests();
  const observers: RequestObserver[] = [requestLines(log), recent.keep, metrics.observe];
  const states = () => plugins.states();
  const status = hostStatus({ inFlight, queues, pdf, sessions: store, artifacts, states });
  showNumbers(parts, configuration, status);
  development?.attend({ states, follow: (listener) => events.follow(listener) });
  const app = createApp({
    configuration,
    protection,
    log,
    inFlight,
    observers,
    tracing,
    recent,
    status: { status, eventLoop: parts.eventLoop, started: new Date() },
    queues,
    artifacts,
    sessions: parts.sessions,
    metrics,
    uploads: parts.place.uploads,
    table: () => plugins.table(),
    development,
    states: { plugins, events, templates },
    health: {
      refusing: () => (inFlight.stopping ? "the host is stopping" : undefined),
      parts: () => partsHealth(parts, configuration),
      maySee: (ctx) => protection.access.mayRead(ctx),
    },
  });
  return { app, inFlight, observers };
}

/** Metrics show from now on what the parts know themselves. */
function showNumbers(parts: HostParts, configuration: Configuration, status: HostStatus): void {
  const { metrics, plugins, events, templates, artifacts, sessions } = parts;
  metrics.show({
    plugins,
    events,
    templates,
    stores: {
      status,
      artifacts,
      sessions: () => sessions.counts,
      disk: () => diskRoom(configuration.var),
    },
    parts: () => partsHealth(parts, configuration),
    wanted: () => wantedPlugins(plugins.table(), configuration.releases),
  });
}
