import { badRequest } from "@slipway/sdk";
import type { RequestContext } from "../http/request-state.js";
import { FairShare, holderOf } from "../security/fair-share.js";
import { overloaded } from "../system/request-errors.js";
import { EventStream, type EventStreamOptions } from "./event-stream.js";

const mostStreams = 100;

/** The open streams of one kind of events: limited, shared fairly among clients, ended when `closing` aborts. */
export class EventStreams {
  private readonly open = new Set<{ finish(): void }>();
  private readonly share = new FairShare(() => mostStreams);

  constructor(closing: AbortSignal) {
    closing.addEventListener("abort", () => {
      for (const stream of this.open) stream.finish();
    });
  }

  /**
   * Responds with a stream of server-sent events. `Last-Event-ID` takes precedence over `after`. 503 when there are too
   * many streams, in total or for this client.
   */
  answer<Event extends { id: number }>(
    ctx: RequestContext,
    options: Omit<EventStreamOptions<Event>, "response">,
  ): void {
    const holder = holderOf(ctx);
    const after = lastEventId(ctx) ?? options.after;
    if (!this.share.take(holder, 1)) throw overloaded("Too many streams of these events are open.");
    const stream = new EventStream({ ...options, after, response: ctx.res });
    this.open.add(stream);
    stream.once("close", () => {
      this.open.delete(stream);
      this.share.give(holder, 1);
    });
    ctx.type = "text/event-stream";
    // Prevents buffering in proxies.
    ctx.set("X-Accel-Buffering", "no");
    ctx.body = stream;
  }

  /** Responds with a stream or a list, by the `Accept` header. */
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

/** Browsers send it when they reconnect. */
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
