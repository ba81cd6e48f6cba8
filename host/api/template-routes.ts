import type Router from "@koa/router";
import { Type } from "@slipway/sdk";
import type { Middleware, RequestState } from "../middleware/request-state.js";
import type { TemplateService } from "../templates/template-service.js";
import { EventStreams } from "./event-streams.js";
import { queryReader } from "./json-request.js";
import { withoutPlace } from "./plugin-routes.js";
import { TemplateEvents } from "./template-events.js";

const readQuery = queryReader(
  Type.Object(
    { after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })) },
    { additionalProperties: false },
  ),
);

/**
 * `/api/templates`: where they and the stores stand, and `/api/templates/events`: server-sent events, one for each change, until
 * `closing` aborts. `guard` sees what is not for everybody's pages.
 */
export function templateRoutes(
  router: Router<RequestState>,
  templates: Pick<TemplateService, "states" | "storeStates" | "follow">,
  closing: AbortSignal,
  guard: Middleware,
): void {
  const streams = new EventStreams(closing);
  const events = new TemplateEvents((listener) => templates.follow(listener));

  router.get("/api/templates", (ctx) => {
    ctx.body = { templates: templates.states().map(withoutPlace), stores: templates.storeStates() };
  });

  router.get("/api/templates/events", guard, (ctx) => {
    streams.answer(ctx, { events, name: "template", isWanted: () => true, after: readQuery(ctx).after });
  });
}
