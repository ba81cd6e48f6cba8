import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** Something that happened, numbered from 1 in the order in which it did. */
interface NumberedEvent {
  id: number;
}

/** Where events come from, and the newest of them again. */
export interface EventSource<Event extends NumberedEvent> {
  /** The first `limit` events after an id, or without one the last ones; both oldest first. */
  list(query: { after?: number; limit: number }): Event[];
  /** Calls for each event from now on; the result ends that. */
  follow(listener: () => void): () => void;
}

export interface EventStreamOptions<Event extends NumberedEvent> {
  events: EventSource<Event>;
  /** What the events are called on the wire. */
  name: string;
  isWanted(event: Event): boolean;
  /** Begins with what came after this id; without it with what comes from now on. */
  after: number | undefined;
  response: ServerResponse;
}

const heartbeat = 15_000;
const atOnce = 50;

/**
 * Events as server-sent ones. It takes them from the log as quickly as the client reads, so it holds no more than a few
 * of them. A client that falls behind what the log has in memory, or that reads nothing from one heartbeat to the next,
 * is let go: it comes back with the id of the last event that it got.
 */
export class EventStream<Event extends NumberedEvent> extends Readable {
  private position: number;
  /** The client has read everything that there is. */
  private isWaiting = false;
  /** Something was sent, so that a gap from here on would be a loss. */
  private hasBegun = false;
  /** Where it was at the last heartbeat, when the client had not read everything by then. */
  private stuckAt: number | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly unfollow: () => void;

  constructor(private readonly options: EventStreamOptions<Event>) {
    super();
    const { events, name, after } = options;
    const newest = events.list({ limit: 1 })[0]?.id ?? 0;
    // An id of another host's log must not silence this one.
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

  /** Ends it now, well if the client has read what there is. */
  finish(): void {
    this.release();
    // One that does not read would keep the host from stopping.
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

  /** The next event for the client is not in memory any more. */
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
