import type Router from "@koa/router";
import type { Middleware, RequestContext, RequestState } from "../http/request-state.js";
import type { Caller } from "../security/caller.js";
import type { Operation, OperationFacts } from "./operation.js";

/** Checks before an operation runs. */
export interface OperationGuards {
  /**
   * Authenticates the caller of every operation, including open ones. 401 `request-unauthorized` without a valid key,
   * 403 `request-forbidden` without a required role.
   */
  demand(ctx: RequestContext, operation: OperationFacts): Caller | Promise<Caller>;
  /** Refuse pages of other origins; `public` permits them when every origin is allowed. */
  foreignPages: { strict: Middleware; public: Middleware };
  /** Serves the operation with `answer`, and records the outcome if it is audited. */
  audited(
    ctx: RequestContext,
    operation: OperationFacts,
    caller: Caller,
    answer: () => Promise<void>,
  ): Promise<void>;
}

/** Registers the operations as routes. */
export function serveOperations(
  router: Router<RequestState>,
  operations: readonly Operation[],
  { demand, foreignPages, audited }: OperationGuards,
): void {
  for (const each of operations) {
    router.register(each.path, [each.method], async (ctx) => {
      ctx.state.operation = each.id;
      const answer = async (): Promise<void> => {
        const caller = await demand(ctx, each);
        ctx.state.caller = caller;
        await audited(ctx, each, caller, () => each.serve(ctx, caller));
      };
      if (each.isGuarded === undefined) await answer();
      else await foreignPages[each.isGuarded === "public" ? "public" : "strict"](ctx, answer);
    });
  }
}
