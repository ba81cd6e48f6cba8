import type Router from "@koa/router";
import { badRequest, Type } from "@slipway/sdk";
import { overloaded } from "../middleware/plugin-gate.js";
import type { Middleware, RequestContext, RequestState } from "../middleware/request-state.js";
import type { EventLog } from "../plugins/events/plugin-event.js";
import { EventStream } from "./event-stream.js";
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

const mostStreams = 100;

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
  const streams = new Set<EventStream>();
  closing.addEventListener("abort", () => {
    for (const stream of streams) stream.finish();
  });

  router.get("/api/events", guard, (ctx) => {
    const { limit, ...query } = readQuery(ctx);
    ctx.vary("Accept");
    if (ctx.accepts("application/json", "text/event-stream") !== "text/event-stream") {
      ctx.body = { events: events.list({ ...query, limit }) };
      return;
    }
    if (streams.size >= mostStreams) throw overloaded(`${mostStreams} clients follow the events already.`);
    const after = lastEventId(ctx) ?? query.after;
    const stream = new EventStream({ events, plugin: query.plugin, after, response: ctx.res });
    streams.add(stream);
    stream.once("close", () => streams.delete(stream));
    ctx.type = "text/event-stream";
    // For proxies that would collect the stream before they pass it on.
    ctx.set("X-Accel-Buffering", "no");
    ctx.body = stream;
  });
}

/** A browser that comes back after an interruption sends it; it knows more than the address does. */
function lastEventId(ctx: RequestContext): number | undefined {
  const text = ctx.get("Last-Event-ID");
  if (text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const violation = {
    path: "headers.Last-Event-ID",
    expected: "the id of an event",
    received: JSON.stringify(text.slice(0, 80)),
  };
  throw badRequest("The request is not valid", [violation]);
}
