import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";

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
}

export interface EventStreamOptions<Event extends NumberedEvent> {
  events: EventSource<Event>;
  /** Event name in the stream. */
  name: string;
  isWanted(event: Event): boolean;
  /** Starts after this id. Default: only later events. */
  after: number | undefined;
  response: ServerResponse;
}

const heartbeat = 15_000;
const atOnce = 50;

/**
 * A stream of server-sent events. It reads from the log as fast as the client reads, so it buffers only a few events. A
 * client that falls behind the log's memory, or that reads nothing between two heartbeats, is disconnected and can
 * resume with its last event id.
 */
export class EventStream<Event extends NumberedEvent> extends Readable {
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
    this.release();
    // A client that does not read would delay the stop of the host.
    if (this.options.response.writableNeedDrain) this.destroy();
    else this.push(null);
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
    const { events, name, isWanted } = this.options;
    let text = "";
    while (text === "") {
      const next = events.list({ after: this.position, limit: atOnce });
      const [first] = next;
      this.isWaiting = first === undefined;
      if (first === undefined) return;
      if (this.isOvertaken()) return void this.destroy();
      this.hasBegun = true;
      this.position = next.at(-1)?.id ?? this.position;
      text = next
        .filter((event) => isWanted(event))
        .map((event) => frame(name, event))
        .join("");
    }
    this.push(text);
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

function frame(name: string, event: NumberedEvent): string {
  return `id: ${event.id}\nevent: ${name}\ndata: ${JSON.stringify(event)}\n\n`;
}
