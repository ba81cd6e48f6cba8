import type { Log } from "@slipway/sdk";
import { requestedSession, sessionNotFound } from "@slipway/sdk/runtime/host";
import type { Sessions } from "../sessions/sessions.js";
import { givenInput } from "./request-input.js";
import { type Middleware, targetOf } from "./request-state.js";

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

/** A failed renewal, for example on a full disk, does not prevent use of the session; the next request renews it. */
async function findSession(sessions: Pick<Sessions, "use" | "find">, id: string, log: Log) {
  const found = await sessions.use(id).catch((error: unknown) => {
    log.warn("The lifetime of a session could not be renewed", { session: id.slice(0, 8), error });
    return sessions.find(id);
  });
  if (found === undefined) throw sessionNotFound(id);
  return found;
}
