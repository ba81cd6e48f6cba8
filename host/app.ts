import Koa from "koa";
import type { Protection } from "./access/protection.js";
import { adminPage } from "./admin/admin-page.js";
import { refuseForeignNames, refuseForeignPages } from "./api/foreign-pages.js";
import { type HostHealth, health } from "./api/health.js";
import { type HostStates, hostApi, hostOperations } from "./api/host-api.js";
import type { Scraped } from "./api/metrics-operations.js";
import type { StatusSources } from "./api/status-operations.js";
import { UploadRoom } from "./api/upload-room.js";
import type { Configuration } from "./configuration/configuration.js";
import type { ArtifactStore } from "./files/artifact-store.js";
import { serveArtifacts } from "./files/serve-artifacts.js";
import type { HostLog } from "./log.js";
import { backPressure, type PluginGates } from "./middleware/back-pressure.js";
import { clientAddress } from "./middleware/client-address.js";
import { crossOrigin } from "./middleware/cross-origin.js";
import { dispatch } from "./middleware/dispatch.js";
import { errors } from "./middleware/errors.js";
import type { InFlight } from "./middleware/in-flight.js";
import { jsonBody } from "./middleware/json-body.js";
import { limits } from "./middleware/limits.js";
import { pluginAccess } from "./middleware/plugin-access.js";
import { requestLimits } from "./middleware/request-limits.js";
import { requestLog } from "./middleware/request-log.js";
import type { RequestObserver } from "./middleware/request-observer.js";
import type { RequestState } from "./middleware/request-state.js";
import { resolution } from "./middleware/resolution.js";
import { securityHeaders } from "./middleware/security-headers.js";
import { session } from "./middleware/session.js";
import { timeout } from "./middleware/timeout.js";
import { docsPage } from "./openapi/docs-page.js";
import { servePage } from "./pages/serve-page.js";
import { PluginInstaller } from "./plugins/installation/plugin-installer.js";
import type { RouteTable } from "./plugins/live-plugin.js";
import { previewPage } from "./preview/preview-page.js";
import type { RecentRequests } from "./requests/recent-requests.js";
import type { Sessions } from "./sessions/sessions.js";
import type { Tracing } from "./tracing/tracing.js";

/** As many of the largest ones may come in at a time; of usual ones that are hundreds. */
const projectsInMemory = 4;

/** What the middleware needs of the rest of the host. */
export interface AppParts {
  configuration: Configuration;
  protection: Protection;
  log: HostLog;
  inFlight: InFlight;
  health: HostHealth;
  states: HostStates;
  /** Hear of each request when it is over. */
  observers: readonly RequestObserver[];
  tracing: Tracing;
  recent: RecentRequests;
  status: Pick<StatusSources, "status" | "eventLoop" | "started">;
  gates: PluginGates;
  artifacts: ArtifactStore;
  sessions: Sessions;
  metrics: Scraped;
  /** Where uploads are while they come in. */
  uploads: string;
  table(): RouteTable;
}

/** The way of a request through the host, from top to bottom. */
export function createApp(parts: AppParts): Koa<RequestState> {
  const { configuration, protection, sessions } = parts;
  const limit = (): number => configuration.limits.project;
  const room = new UploadRoom(() => projectsInMemory * limit());
  const receive = { folder: parts.uploads, limit, room };
  const operations = hostOperations({
    protection,
    sessions,
    states: parts.states,
    installer: new PluginInstaller({
      folders: configuration.folders.plugins,
      configuration: configuration.plugins,
      plugins: parts.states.plugins,
      closing: parts.inFlight.closing,
      log: parts.log,
    }),
    receive,
    metrics: parts.metrics,
    requests: parts.recent,
    status: { ...parts.status, health: parts.health, table: parts.table },
    closing: parts.inFlight.closing,
    table: parts.table,
  });
  const api = hostApi(operations, {
    demand: protection.access.demand,
    foreignPages: refuseForeignPages(configuration),
    audited: protection.audited.serve,
  });

  const app = new Koa<RequestState>();
  app.use(clientAddress(configuration.trustedProxies, parts.log));
  app.use(requestLog(parts.tracing, parts.observers));
  app.use(securityHeaders(configuration));
  app.use(errors());
  if (configuration.preview) app.use(refuseForeignNames(configuration));
  app.use(crossOrigin(configuration.cors));
  app.use(health(parts.health));
  app.use(parts.inFlight.middleware);
  app.use(limits(configuration));
  app.use(requestLimits(protection.access, configuration.rateLimits));
  app.use(serveArtifacts(parts.artifacts));
  app.use(servePage(adminPage));
  if (configuration.preview) app.use(servePage(previewPage));
  app.use(servePage(docsPage));
  app.use(api.routes());
  app.use(api.allowedMethods());

  // From here on the request is for a plugin.
  app.use(pluginAccess(protection.access, configuration.access));
  app.use(resolution(parts.table, configuration.requests));
  app.use(jsonBody(configuration.limits));
  // Before back-pressure, so that a request that waits for its turn is answered at its deadline and leaves the queue.
  app.use(timeout());
  app.use(backPressure(configuration, parts.gates));
  app.use(session(sessions));
  app.use(dispatch(configuration.publicUrl));

  app.on("error", (error: NodeJS.ErrnoException) => {
    // A client that went away has its line already.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE")
      parts.log.warn("A response could not be sent completely", { error });
  });
  return app;
}
