import { basename } from "node:path";
import Router from "@koa/router";
import type { RequestState } from "../middleware/request-state.js";
import type { PluginState } from "../plugins/plugin-state.js";
import type { Sessions } from "../sessions/sessions.js";
import type { TemplateState } from "../templates/template-service.js";
import type { ReceiveOptions } from "./receive-project.js";
import { sessionRoutes } from "./session-routes.js";

/** What the lists of the host API show; each is asked anew for every request. */
export interface HostStates {
  plugins(): PluginState[];
  templates(): TemplateState[];
}

/** Everything below `/api`. */
export function hostApi(
  sessions: Sessions,
  states: HostStates,
  receive: ReceiveOptions,
): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.use(async (ctx, next) => {
    ctx.set("Cache-Control", "no-store");
    await next();
  });
  sessionRoutes(router, sessions, receive);
  router.get("/api/plugins", (ctx) => {
    ctx.body = { plugins: states.plugins().map(withoutPlace) };
  });
  router.get("/api/templates", (ctx) => {
    ctx.body = { templates: states.templates().map(withoutPlace) };
  });
  return router;
}

/** Where the folders lie is nothing for clients; the log has it. */
function withoutPlace<State extends { folder: string }>(state: State): State {
  return { ...state, folder: basename(state.folder) };
}
