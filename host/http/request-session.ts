/** The session of a request: its copy from another server, if one is configured, and its lookup here. */
import type { Log } from "@slipway/sdk";
import { requestedSession, sessionNotFound } from "@slipway/sdk/runtime/host";
import { FairShare, holderOf } from "../security/fair-share.js";
import type { SessionCopies, SessionRecord, Sessions } from "../sessions/sessions.js";
import { isEngineUnavailable, overloaded } from "../system/request-errors.js";
import { givenInput, type Middleware, type RequestContext, targetOf } from "./request-state.js";

/** Limit of requests that wait for another server, so that a slow one does not block all others. */
const mostWaiting = 200;

/** Memory for projects that are received and opened, shared with the uploads of the host. */
export interface ProjectMemory {
  /** Runs a task; frees its memory at its end. `take` throws 503 `request-overloaded` when there is no more. */
  during<T>(ctx: RequestContext, task: (take: (bytes: number) => void) => Promise<T>): Promise<T>;
}

/**
 * Copies the session of a request from another server, if one is configured. Before back-pressure, because
 * a slow server must not occupy the plugin. `limitOpening` counts sessions that are unknown here.
 */
export function sessionCopy(
  copies: SessionCopies,
  memory: ProjectMemory,
  limitOpening: (ctx: RequestContext) => Promise<void>,
): Middleware {
  const waiting = new FairShare(() => mostWaiting);
  return async (ctx, next) => {
    const { plugin, route } = targetOf(ctx);
    const id = copies.isOn ? requestedSession(plugin, route, givenInput(ctx)) : undefined;
    if (id !== undefined) {
      const holder = holderOf(ctx);
      if (!waiting.take(holder, 1))
        throw overloaded("Too many requests are waiting for sessions of another server. Try again.");
      try {
        await ctx.state.work.step("renew the copy of the session", () =>
          copies.renew(id, {
            first: () => limitOpening(ctx),
            during: (task) => memory.during(ctx, task),
            signal: ctx.state.abort.signal,
          }),
        );
      } finally {
        waiting.give(holder, 1);
      }
    }
    await next();
  };
}

/** Finds the session named in body or query, and renews its lifetime. 400 when malformed, 422 when not active. */
export function session(sessions: Pick<Sessions, "use" | "find">): Middleware {
  return async (ctx, next) => {
    const { plugin, route } = targetOf(ctx);
    const id = requestedSession(plugin, route, givenInput(ctx));
    if (id !== undefined) {
      const { work, log } = ctx.state;
      ctx.state.session = await work.step("find the session", () => findSession(sessions, id, log));
    }
    await next();
  };
}

/**
 * The session with an id, its lifetime renewed; rejects with 422 when it is not active. A failed renewal, for example on a
 * full disk, does not prevent use of the session; the next request renews it.
 */
export async function findSession(
  sessions: Pick<Sessions, "use" | "find">,
  id: string,
  log: Log,
): Promise<SessionRecord> {
  const found = await sessions.use(id).catch((error: unknown) => {
    if (isEngineUnavailable(error)) throw error;
    log.warn("The lifetime of a session could not be renewed", { session: id.slice(0, 8), error });
    return sessions.find(id);
  });
  if (found === undefined) throw sessionNotFound(id);
  return found;
}
