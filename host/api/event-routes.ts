import type Router from "@koa/router";
import { Type } from "@slipway/sdk";
import type { Middleware, RequestState } from "../middleware/request-state.js";
import type { EventLog, PluginEvent } from "../plugins/events/plugin-event.js";
import { EventStreams } from "./event-streams.js";
import { queryReader } from "./json-request.js";

const readQuery = queryReader(
  Type.Object(
    {
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      plugin: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    },
    { additionalProperties: false },
  ),
);

/**
 * `/api/events`: what happened to plugins, as a list or, for `Accept: text/event-stream`, as a stream of server-sent
 * events, which has no limit and ends at the latest when `closing` aborts.
 */
export function eventRoutes(
  router: Router<RequestState>,
  events: EventLog,
  closing: AbortSignal,
  guard: Middleware,
): void {
  const streams = new EventStreams(closing);

  router.get("/api/events", guard, (ctx) => {
    const { limit, after, plugin } = readQuery(ctx);
    ctx.vary("Accept");
    if (ctx.accepts("application/json", "text/event-stream") === "text/event-stream") {
      const isWanted = (event: PluginEvent) => plugin === undefined || event.plugin === plugin;
      streams.answer(ctx, { events, name: "plugin", isWanted, after });
      return;
    }
    ctx.body = { events: events.list({ after, plugin, limit }) };
  });
}
