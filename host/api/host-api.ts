import Router from "@koa/router";
import type { Middleware, RequestState } from "../middleware/request-state.js";
import type { EventLog } from "../plugins/events/plugin-event.js";
import type { PluginAdministration } from "../plugins/plugin-administration.js";
import type { Sessions } from "../sessions/sessions.js";
import type { TemplateService } from "../templates/template-service.js";
import { eventRoutes } from "./event-routes.js";
import { pluginRoutes } from "./plugin-routes.js";
import type { ReceiveOptions } from "./receive-project.js";
import { sessionRoutes } from "./session-routes.js";
import { templateRoutes } from "./template-routes.js";

/** What the host API shows and changes; each is asked anew for every request. */
export interface HostStates {
  plugins: PluginAdministration;
  events: EventLog;
  templates: Pick<TemplateService, "states" | "storeStates" | "follow">;
}

/** Everything below `/api`. What lasts until it is told to end does so when `closing` aborts; `guard` sees what is not for
 * everybody's pages. */
export function hostApi(
  sessions: Sessions,
  states: HostStates,
  receive: ReceiveOptions,
  closing: AbortSignal,
  guard: Middleware,
): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.use(async (ctx, next) => {
    ctx.set("Cache-Control", "no-store");
    await next();
  });
  sessionRoutes(router, sessions, receive);
  pluginRoutes(router, states.plugins, guard);
  eventRoutes(router, states.events, closing, guard);
  templateRoutes(router, states.templates, closing, guard);
  return router;
}
