/** Work that the host runs after a session was opened or has ended; no client waits for it. */
import type { Log, Session } from "./handler-context.js";
import type { Duration } from "./route.js";

/** The names of the hooks. */
export type SessionHookName = "opened" | "closed";

/** How a session ended: a client closed it, or it was unused for its lifetime. */
export type SessionEndReason = "closed" | "expired";

/** What every session hook gets. */
export interface SessionHookContext {
  /** Aborts at the timeout, and when the version or the host stops. */
  signal: AbortSignal;
  /** Writes log lines with the plugin, the hook, the beginning of the session's id and the id of the run. */
  log: Log;
}

/** What `opened` gets. */
export interface SessionOpenedContext extends SessionHookContext {
  /** The session with its contents, as in a route's handler; a client may have replaced its project already. */
  session: Session;
}

/** What `closed` gets; the contents of the session are gone. */
export interface SessionClosedContext extends SessionHookContext {
  /** The id that the session had. */
  sessionId: string;
  /** How it ended. */
  reason: SessionEndReason;
}

/** A session hook with its own timeout. */
export interface SessionHookOptions<C> {
  /** Timeout of one run; default 30 seconds. */
  timeout?: Duration;
  /** Does one run; what it returns is ignored. A thrown error is logged and ends this run only. */
  handler(context: C): void | Promise<void>;
}

/** A session hook: its handler, or an object with handler and timeout. */
export type SessionHook<C> = ((context: C) => void | Promise<void>) | SessionHookOptions<C>;

/**
 * The session hooks of a plugin; `setup` returns them as `sessionHooks`. Only the live version of a plugin runs them, one at a
 * time and in the order of what happened. Each runs at most once for a session, or not at all: when the host stops or is
 * killed before, when the plugin is not live, and when more than 1,000 wait.
 *
 * @example
 * ```ts
 * sessionHooks: {
 *   async opened({ session, log }) {
 *     const { header } = await session.project();
 *     log.info("A project was opened", { name: header.name });
 *   },
 *   closed: { timeout: "5s", handler: ({ sessionId }) => void drafts.delete(sessionId) },
 * },
 * ```
 */
export interface SessionHooks {
  /** Runs after a client has opened a session; left out when the session has ended before. */
  opened?: SessionHook<SessionOpenedContext>;
  /** Runs after a session has ended, also one whose `opened` did not run. */
  closed?: SessionHook<SessionClosedContext>;
}
