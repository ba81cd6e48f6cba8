import { badRequest } from "@slipway/sdk";
import { overloaded } from "../middleware/plugin-gate.js";
import type { RequestContext } from "../middleware/request-state.js";
import { EventStream, type EventStreamOptions } from "./event-stream.js";

const mostStreams = 100;

/** The streams of one kind of events that are open: a bounded number, which end at the latest when `closing` aborts. */
export class EventStreams {
  private readonly open = new Set<{ finish(): void }>();

  constructor(closing: AbortSignal) {
    closing.addEventListener("abort", () => {
      for (const stream of this.open) stream.finish();
    });
  }

  /**
   * Answers with a stream of server-sent events. A client that comes back knows by `Last-Event-ID` where it was, better than
   * `after` does. 503 when too many follow already.
   */
  answer<Event extends { id: number }>(
    ctx: RequestContext,
    options: Omit<EventStreamOptions<Event>, "response">,
  ): void {
    if (this.open.size >= mostStreams) throw overloaded(`${mostStreams} clients follow the events already.`);
    const after = lastEventId(ctx) ?? options.after;
    const stream = new EventStream({ ...options, after, response: ctx.res });
    this.open.add(stream);
    stream.once("close", () => this.open.delete(stream));
    ctx.type = "text/event-stream";
    // For proxies that would collect the stream before they pass it on.
    ctx.set("X-Accel-Buffering", "no");
    ctx.body = stream;
  }

  /** The same for a client that wants to follow what it could also have as a list, and the list for all others. */
  answerOrList<Event extends { id: number }>(
    ctx: RequestContext,
    options: Omit<EventStreamOptions<Event>, "response">,
    list: () => object,
  ): void {
    ctx.vary("Accept");
    if (wantsStream(ctx)) this.answer(ctx, options);
    else ctx.body = list();
  }
}

function wantsStream(ctx: RequestContext): boolean {
  return ctx.accepts("application/json", "text/event-stream") === "text/event-stream";
}

/** A browser that comes back after an interruption sends it. */
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
