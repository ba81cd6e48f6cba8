import { hookTimeout, type LiveSessionHook, type SessionEvent } from "@slipway/sdk/runtime/host";
import { shownId } from "../../observability/requests/request-names.js";
import {
  type Background,
  type BackgroundOptions,
  backgroundOrigin,
  type WorkingVersion,
} from "../background/background-work.js";

/** More would fill the memory where sessions are opened faster than a hook runs. */
const mostWaiting = 1000;

/** Milliseconds in which hooks that are left out make one line of the log. */
const burst = 60_000;

/** A session that a hook runs for. */
export interface EventOfSession {
  id: string;
  event: SessionEvent;
}

/** The open sessions, by id. */
export interface OpenSessions {
  find(id: string): Promise<{ id: string; locale: string; revision: number } | undefined>;
}

export interface HookOptions extends BackgroundOptions {
  sessions: OpenSessions;
}

/** The session hooks of a plugin over its versions: one at a time, in the order of what happened. */
export class HookQueue implements Background {
  private version: WorkingVersion | undefined;
  private waiting: EventOfSession[] = [];
  private running: Promise<void> | undefined;
  /** Of the current run. */
  private ending = new AbortController();
  private ended = false;
  /** Left out in the current burst. */
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly plugin: string,
    private readonly options: HookOptions,
  ) {}

  /** Runs with this version from now on, also what waits; a run of the one before goes on. */
  follow(version: WorkingVersion): void {
    this.version = version;
  }

  /** No version is live; a run goes on. */
  leave(): void {
    this.version = undefined;
    this.leaveOut(this.waiting.splice(0).length);
  }

  /** Runs the hook for an event, if there is one, when its turn comes. */
  add(happened: EventOfSession): void {
    // Requests that outlast the drain time may still open sessions.
    if (this.ended || this.hook(happened) === undefined) return;
    this.waiting.push(happened);
    if (this.waiting.length > mostWaiting) {
      this.waiting.shift();
      this.leaveOut(1);
    }
    this.running ??= this.work();
  }

  async idle(): Promise<void> {
    await this.running;
  }

  /** Leaves out what waits and all that comes; ends the current run. */
  end(): void {
    this.ended = true;
    this.ending.abort();
    this.leaveOut(this.waiting.splice(0).length);
    this.tell();
  }

  private hook({ event }: EventOfSession): LiveSessionHook | undefined {
    return this.version?.plugin.sessionHooks.find(({ hook }) => hook === event.hook);
  }

  private async work(): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift())
      await this.run(next);
    this.running = undefined;
    this.tell();
  }

  private async run(happened: EventOfSession): Promise<void> {
    const { version } = this;
    const hook = this.hook(happened);
    // An update may have taken it away.
    if (version === undefined || hook === undefined) return;
    const { plugin, release } = version;
    const { id, event } = happened;
    const ending = new AbortController();
    this.ending = ending;
    // Taken before anything is awaited: a version that is replaced meanwhile still does this run.
    const letGo = plugin.hold();
    const origin = backgroundOrigin(this.options, {
      release,
      signal: ending.signal,
      timeout: hook.timeout ?? hookTimeout,
      fields: { hook: event.hook, session: shownId(id) },
    });
    const { log } = origin.work;
    const fields = { plugin: `${plugin.name}@${plugin.version}` };
    try {
      if (event.hook === "closed") await plugin.runHook({ ...origin, event });
      else {
        // As it is by now: a client may have replaced its project, or closed it.
        const found = await this.options.sessions.find(id);
        if (found === undefined) return log.debug("A session ended before its hook ran", fields);
        const { locale, revision } = found;
        await plugin.runHook({ ...origin, session: { id, locale, revision }, locale, event });
      }
      log.debug("A session hook ran", fields);
    } catch (error) {
      log.error("A session hook failed", { ...fields, error });
    } finally {
      letGo();
    }
  }

  /** Counts what is left out, for one line of the log when nothing waits any more or the burst is over. */
  private leaveOut(count: number): void {
    if (count === 0) return;
    this.leftOut += count;
    this.timer ??= setTimeout(() => this.tell(), burst).unref();
  }

  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.leftOut === 0) return;
    const { plugin, leftOut } = this;
    this.leftOut = 0;
    this.options.log.warn("Session hooks of a plugin were left out", { plugin, leftOut });
  }
}
