import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { badRequest, Type } from "@slipway/sdk";
import type { RequestContext } from "../http/request-state.js";
import { FairShare, holderOf } from "../security/fair-share.js";
import { overloaded } from "../system/request-errors.js";
import { Nothing, Unread } from "./operation.js";

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
   * Responds with a stream of server-sent events. `Last-Event-ID` takes precedence over `after`, except for states. 503 when there
   * are too many streams, in total or for this client.
   */
  answer<Event extends { id: number }>(
    ctx: RequestContext,
    options: Omit<EventStreamOptions<Event>, "response">,
  ): void {
    const holder = holderOf(ctx);
    const after = options.state === undefined ? (lastEventId(ctx) ?? options.after) : 0;
    if (!this.share.take(holder, 1))
      throw overloaded("Too many streams of these events are open. Close some, or try again.");
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
    if (wantsStream(ctx)) this.answer(ctx, options);
    else ctx.body = list();
  }
}

/** Whether the `Accept` header asks for a stream; sets `Vary`. */
export function wantsStream(ctx: RequestContext): boolean {
  ctx.vary("Accept");
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

/** An event, numbered consecutively from 1. */
interface NumberedEvent {
  id: number;
}

/** A source of events with the recent ones. */
export interface EventSource<Event extends NumberedEvent> {
  /** The first `limit` events after an id, or the last ones; oldest first. */
  list(query: { after?: number; limit: number }): Event[];
  /** Calls the listener for each later event; returns a function that unsubscribes it. */
  follow(listener: () => void): () => void;
  /** No event follows the last one of the list; the stream ends with it. */
  readonly isOver?: boolean;
}

interface EventStreamOptions<Event extends NumberedEvent> {
  events: EventSource<Event>;
  /** Event name in the stream. */
  name: string;
  isWanted(event: Event): boolean;
  /** Starts after this id. Default: only later events. */
  after?: number | undefined;
  /**
   * Content of an event that replaces all before it: the stream then begins with the latest event, whatever the client had, and
   * sends no ids.
   */
  state?: (event: Event) => object;
  response: ServerResponse;
}

const heartbeat = 15_000;
const atOnce = 50;

/**
 * A stream of server-sent events. It reads from the log as fast as the client reads, so it buffers only a few events. A
 * client that falls behind the log's memory, or that reads nothing between two heartbeats, is disconnected and can
 * resume with its last event id.
 */
class EventStream<Event extends NumberedEvent> extends Readable {
  private position: number;
  /** Whether the client has all events. */
  private isWaiting = false;
  /** Whether events were sent, so that a gap would be a loss. */
  private hasBegun = false;
  /** Position at the last heartbeat, if the client had not read everything. */
  private stuckAt: number | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly unfollow: () => void;

  constructor(private readonly options: EventStreamOptions<Event>) {
    super();
    const { events, name, after } = options;
    const newest = events.list({ limit: 1 })[0]?.id ?? 0;
    // An id of another host's log must not silence this stream.
    this.position = Math.min(after ?? newest, newest);
    this.unfollow = events.follow(() => {
      if (this.isWaiting) this.send();
      else if (this.isOvertaken()) this.destroy();
    });
    this.timer = setInterval(() => this.beat(), heartbeat);
    this.timer.unref();
    // Sends the headers.
    this.push(`: events of the kind ${name}\n\n`);
  }

  /** Ends the stream, cleanly if the client has read everything. */
  finish(): void {
    // A client that does not read would delay the stop of the host.
    if (this.options.response.writableNeedDrain) this.destroy();
    else this.end();
  }

  private end(): void {
    this.release();
    this.push(null);
  }

  override _read(): void {
    this.send();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.release();
    done(error);
  }

  private release(): void {
    clearInterval(this.timer);
    this.unfollow();
  }

  private send(): void {
    const { events, isWanted } = this.options;
    let text = "";
    while (text === "") {
      const next = events.list({ after: this.position, limit: atOnce });
      const [first] = next;
      this.isWaiting = first === undefined;
      if (first === undefined) {
        if (events.isOver === true) this.end();
        return;
      }
      if (this.isOvertaken()) return void this.destroy();
      this.hasBegun = true;
      this.position = next.at(-1)?.id ?? this.position;
      text = next
        .filter((event) => isWanted(event))
        .map((event) => this.frame(event))
        .join("");
    }
    this.push(text);
  }

  private frame(event: Event): string {
    const { name, state } = this.options;
    const data = JSON.stringify(state === undefined ? event : state(event));
    return `${state === undefined ? `id: ${event.id}\n` : ""}event: ${name}\ndata: ${data}\n\n`;
  }

  /** Whether the next event has left the memory. */
  private isOvertaken(): boolean {
    const [next] = this.options.events.list({ after: this.position, limit: 1 });
    return this.hasBegun && next !== undefined && next.id > this.position + 1;
  }

  private beat(): void {
    const isStuck = this.options.response.writableNeedDrain;
    if (isStuck && this.stuckAt === this.position) this.destroy();
    else if (this.isWaiting && !isStuck) this.push(":\n\n");
    this.stuckAt = isStuck ? this.position : undefined;
  }
}

/** Common parts of operations that list numbered entries or stream them. */
export const feed = {
  method: "GET",
  roles: ["read", "operate"],
  isGuarded: true,
  params: Nothing,
  body: Unread,
  errors: { 503: ["request-overloaded"] },
} as const;

/** Query parameter: start after this id. */
export const After = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      "Starts after the event with this id. For a stream, the header Last-Event-ID takes precedence.",
  }),
);

/** Query parameter: length of a list; streams are unlimited. */
export const Limit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 100,
  description: "Maximum length of a list; without `after` it has the last entries. A stream has no limit.",
});
