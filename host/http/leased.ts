import type { Members } from "../engine/members.js";
import type { SwitchStore } from "../plugins/fleet/fleet.js";
import { engineUnavailable } from "../system/request-errors.js";
import type { Middleware } from "./request-state.js";

/**
 * 503 `engine-unavailable` without a lease, or while this host has not caught up with what the others serve: they may have moved on
 * to other plugin versions. The lease is asked for before the work and before the answer, because the process may have been
 * stopped in between.
 */
export function leased(
  members: Pick<Members, "lease">,
  switches: Pick<SwitchStore, "isInService"> | undefined,
): Middleware {
  return async (_ctx, next) => {
    const { lease } = members;
    if (lease === undefined || switches?.isInService === false) throw engineUnavailable();
    await next();
    if (members.lease !== lease) throw engineUnavailable();
  };
}
