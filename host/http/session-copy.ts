import { requestedSession } from "@slipway/sdk/runtime/host";
import { FairShare, holderOf } from "../security/fair-share.js";
import type { SessionCopies } from "../sessions/copies/session-copies.js";
import { overloaded } from "../system/request-errors.js";
import { givenInput, type Middleware, type RequestContext, targetOf } from "./request-state.js";

/** Requests that wait for another server at a time, so that a slow one does not hold up all others. */
const mostWaiting = 200;

/**
 * Takes the session of a request from another server, where one is configured that keeps it. Before back-pressure, because
 * a slow server must not occupy the plugin. `limitOpening` counts sessions that are unknown here.
 */
export function sessionCopy(
  copies: SessionCopies,
  limitOpening: (ctx: RequestContext) => Promise<void>,
): Middleware {
  const waiting = new FairShare(() => mostWaiting);
  return async (ctx, next) => {
    const { plugin, route } = targetOf(ctx);
    const id = copies.isOn ? requestedSession(plugin, route, givenInput(ctx)) : undefined;
    if (id !== undefined) {
      const holder = holderOf(ctx);
      if (!waiting.take(holder, 1))
        throw overloaded("Too many requests wait for sessions of another server.");
      try {
        await ctx.state.work.step("renew the copy of the session", () =>
          copies.renew(id, () => limitOpening(ctx)),
        );
      } finally {
        waiting.give(holder, 1);
      }
    }
    await next();
  };
}
