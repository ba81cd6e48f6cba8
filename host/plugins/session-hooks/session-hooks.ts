/**
 * Session hooks: the work that plugins do when sessions are opened or end.
 *
 * Goes in: the working versions, after each change of the route table, and the events of sessions. Comes out: runs of the
 * hooks, for each plugin one at a time and in the order of the events.
 *
 * Owns the queues, which a restart of the host empties.
 */
import type { SessionEndReason } from "@slipway/sdk";
import { hookTimeout, type LiveSessionHook, type SessionEvent } from "@slipway/sdk/runtime/host";
import { shownId } from "../../observability/requests/request-names.js";
import {
  type Background,
  type BackgroundOptions,
  backgroundOrigin,
  drainBackground,
  type WorkingVersion,
} from "../background-work.js";

/** The session hooks of all live plugins. */
export class PluginSessionHooks {
  /** By plugin. They stay, so that a version that returns does not start a run beside an unfinished one. */
  private readonly queues = new Map<string, HookQueue>();
  private stopped = false;

  constructor(private readonly options: HookOptions) {}

  /** Sets the version of each live plugin that runs its hooks from now on. */
  follow(versions: readonly WorkingVersion[]): void {
    const left = new Set(this.queues.keys());
    for (const version of versions) {
      const { name } = version.plugin;
      left.delete(name);
      const queue = this.queues.get(name) ?? new HookQueue(name, this.options);
      this.queues.set(name, queue);
      queue.follow(version);
    }
    for (const name of left) this.queues.get(name)?.leave();
  }

  /** A client has opened a session. */
  opened(id: string): void {
    this.add({ id, event: { hook: "opened" } });
  }

  /** A session has ended. */
  closed(id: string, reason: SessionEndReason): void {
    this.add({ id, event: { hook: "closed", sessionId: id, reason } });
  }

  /** Waits for some milliseconds, then drops waiting hooks and ends the running ones. Resolves when none runs. */
  async drain(milliseconds: number): Promise<void> {
    await drainBackground([...this.queues.values()], milliseconds);
    this.stopped = true;
  }

  private add(happened: EventOfSession): void {
    if (this.stopped) return;
    for (const queue of this.queues.values()) queue.add(happened);
  }
}

/** Limit for the memory: clients may open sessions faster than a hook runs. */
const mostWaiting = 1000;

/** Milliseconds for which dropped hooks share one line of the log. */
const burst = 60_000;

/** A session that a hook runs for. */
interface EventOfSession {
  id: string;
  event: SessionEvent;
}

/** The open sessions, by id. */
export interface OpenSessions {
  find(id: string): Promise<{ id: string; locale: string; revision: number } | undefined>;
}

interface HookOptions extends BackgroundOptions {
  sessions: OpenSessions;
}

/** The session hooks of a plugin over its versions: one at a time, in the order of what happened. */
class HookQueue implements Background {
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

  /** Runs with this version from now on, also waiting hooks; a run of the previous version continues. */
  follow(version: WorkingVersion): void {
    this.version = version;
  }

  /** No version is live; a run continues. */
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

  /** Drops waiting and later hooks; ends the current run. */
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
    // Before the first await, so that a version that is replaced meanwhile still does this run.
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
        // A client may have replaced its project meanwhile, or closed it.
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

  /** Counts dropped hooks, for one line of the log when no hook waits or the burst is over. */
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
