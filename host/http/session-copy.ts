import { requestedSession } from "@slipway/sdk/runtime/host";
import { FairShare, holderOf } from "../security/fair-share.js";
import type { SessionCopies } from "../sessions/sessions.js";
import { overloaded } from "../system/request-errors.js";
import { givenInput, type Middleware, type RequestContext, targetOf } from "./request-state.js";

/** Requests that wait for another server at a time, so that a slow one does not hold up all others. */
const mostWaiting = 200;

/** Memory for projects that are received and opened, shared with the uploads of the host. */
export interface ProjectRoom {
  /** Runs a task; what it takes is free again at its end. `take` throws 503 `request-overloaded` when there is no more. */
  during<T>(ctx: RequestContext, task: (take: (bytes: number) => void) => Promise<T>): Promise<T>;
}

/**
 * Takes the session of a request from another server, where one is configured that keeps it. Before back-pressure, because
 * a slow server must not occupy the plugin. `limitOpening` counts sessions that are unknown here.
 */
export function sessionCopy(
  copies: SessionCopies,
  room: ProjectRoom,
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
            during: (task) => room.during(ctx, task),
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
