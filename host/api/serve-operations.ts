import type Router from "@koa/router";
import type { Caller, Role } from "../access/caller.js";
import type { Middleware, RequestContext, RequestState } from "../middleware/request-state.js";
import type { Operation } from "./operation.js";

/** What stands before operations. */
export interface OperationGuards {
  /** Who asks. 401 `request-unauthorized` without a key that counts, 403 `request-forbidden` when it has none of the roles. */
  demand(ctx: RequestContext, roles: readonly Role[]): Caller;
  /** Refuses pages of other origins. */
  foreignPages: Middleware;
}

/** Gives each operation its route. */
export function serveOperations(
  router: Router<RequestState>,
  operations: readonly Operation[],
  { demand, foreignPages }: OperationGuards,
): void {
  for (const each of operations) {
    router.register(each.path, [each.method], async (ctx) => {
      const answer = (): Promise<void> => {
        if (each.roles.length > 0) ctx.state.caller = demand(ctx, each.roles);
        return each.serve(ctx);
      };
      if (each.isGuarded) await foreignPages(ctx, answer);
      else await answer();
    });
  }
}
