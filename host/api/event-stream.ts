import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { EventLog, PluginEvent } from "../plugins/events/plugin-event.js";

export interface EventStreamOptions {
  events: EventLog;
  /** Only events of this one. */
  plugin: string | undefined;
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
export class EventStream extends Readable {
  private position: number;
  /** The client has read everything that there is. */
  private isWaiting = false;
  /** Something was sent, so that a gap from here on would be a loss. */
  private hasBegun = false;
  /** Where it was at the last heartbeat, when the client had not read everything by then. */
  private stuckAt: number | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly unfollow: () => void;

  constructor(private readonly options: EventStreamOptions) {
    super();
    const { events, after } = options;
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
    this.push(": events of plugins\n\n");
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
    const { events, plugin } = this.options;
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
        .filter((event) => plugin === undefined || event.plugin === plugin)
        .map(frame)
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

function frame(event: PluginEvent): string {
  return `id: ${event.id}\nevent: plugin\ndata: ${JSON.stringify(event)}\n\n`;
}
