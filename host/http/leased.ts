import type { Members } from "../engine/members.js";
import { engineUnavailable } from "../system/request-errors.js";
import type { Middleware } from "./request-state.js";

/**
 * 503 `engine-unavailable` without a lease: the hosts that share the engine may have moved on to other plugin versions. Asked
 * before the work and before the answer, because the process may have been stopped in between.
 */
export function leased(members: Pick<Members, "lease">): Middleware {
  return async (_ctx, next) => {
    const { lease } = members;
    if (lease === undefined) throw engineUnavailable();
    await next();
    if (members.lease !== lease) throw engineUnavailable();
  };
}
