import Koa from "koa";
import { adminPage } from "./admin/admin-page.js";
import { health } from "./api/health.js";
import { type HostApiParts, hostApi } from "./api/host-api.js";
import { developmentPage } from "./development/development-page.js";
import type { ArtifactStore } from "./files/artifact-store.js";
import { serveArtifacts } from "./files/serve-artifacts.js";
import { backPressure, type PluginQueues } from "./middleware/back-pressure.js";
import { bodyProgress } from "./middleware/body-progress.js";
import { clientAddress } from "./middleware/client-address.js";
import { crossOrigin, refuseUnlistedPages } from "./middleware/cross-origin.js";
import { dispatch } from "./middleware/dispatch.js";
import { errors } from "./middleware/errors.js";
import type { InFlight } from "./middleware/in-flight.js";
import { jsonBody } from "./middleware/json-body.js";
import { limits } from "./middleware/limits.js";
import { refuseOtherNames } from "./middleware/own-names.js";
import { pluginAccess } from "./middleware/plugin-access.js";
import { requestLimits } from "./middleware/request-limits.js";
import { requestLog } from "./middleware/request-log.js";
import type { RequestState } from "./middleware/request-state.js";
import { resolution } from "./middleware/resolution.js";
import { securityHeaders } from "./middleware/security-headers.js";
import { session } from "./middleware/session.js";
import { timeout } from "./middleware/timeout.js";
import { docsPage } from "./openapi/docs-page.js";
import { frontDoor, servePage } from "./pages/serve-page.js";
import { previewPage } from "./preview/preview-page.js";
import type { RequestObserver } from "./requests/request-observer.js";
import type { Tracing } from "./tracing/tracing.js";

/** What the middleware needs of the rest of the host. */
export interface AppParts extends HostApiParts {
  inFlight: InFlight;
  /** Hear of each request when it is over. */
  observers: readonly RequestObserver[];
  tracing: Tracing;
  queues: PluginQueues;
  artifacts: ArtifactStore;
}

/** The way of a request through the host, from top to bottom. */
export function createApp(parts: AppParts): Koa<RequestState> {
  const { configuration, protection, development } = parts;
  const api = hostApi(parts);

  const app = new Koa<RequestState>();
  app.use(clientAddress(configuration.trustedProxies, parts.log));
  app.use(requestLog(parts.tracing, parts.observers));
  app.use(securityHeaders(configuration));
  app.use(errors());
  app.use(bodyProgress(configuration.requests));
  app.use(refuseOtherNames(configuration, protection.access));
  app.use(crossOrigin(configuration));
  app.use(limits(configuration));
  app.use(health(parts.health));
  app.use(parts.inFlight.middleware);
  app.use(requestLimits(protection.access, configuration.rateLimits));
  app.use(serveArtifacts(parts.artifacts));
  app.use(frontDoor(development === undefined ? adminPage : developmentPage));
  app.use(servePage(adminPage));
  if (configuration.preview) app.use(servePage(previewPage));
  if (development !== undefined) app.use(servePage(developmentPage));
  app.use(servePage(docsPage));
  app.use(api.routes());
  app.use(api.allowedMethods());

  // From here on the request is for a plugin.
  app.use(pluginAccess(protection.access, configuration.access));
  app.use(resolution(parts.table, configuration.requests, development?.plugin.isDebugged));
  app.use(jsonBody(configuration.limits));
  // Before back-pressure, so that a request that waits for its turn is answered at its deadline and leaves the queue.
  app.use(timeout());
  app.use(backPressure(configuration, parts.queues));
  app.use(session(parts.sessions));
  app.use(refuseUnlistedPages(configuration));
  app.use(dispatch(configuration.publicUrl));

  app.on("error", (error: NodeJS.ErrnoException) => {
    // A client that went away has its line already.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE")
      parts.log.warn("A response could not be sent completely", { error });
  });
  return app;
}
