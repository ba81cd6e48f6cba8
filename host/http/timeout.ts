import { RequestError } from "@slipway/sdk";
import { requestTimedOut } from "@slipway/sdk/runtime/host";
import { monotonicTime } from "../system/monotonic-time.js";
import { type Middleware, targetOf } from "./request-state.js";

/** Aborts a request at its deadline with 504. The deadline counts from the arrival and includes queueing. */
export function timeout(): Middleware {
  return async (ctx, next) => {
    const { abort, log } = ctx.state;
    const { deadline } = targetOf(ctx);
    const timer = setTimeout(
      () => abort.abort(requestTimedOut(deadline - ctx.state.arrived)),
      Math.max(0, deadline - monotonicTime()),
    );
    const work = next();
    const aborted = new Promise<never>((_, reject) => {
      const end = (): void => reject(abort.signal.reason);
      if (abort.signal.aborted) end();
      abort.signal.addEventListener("abort", end, { once: true });
    });
    try {
      await Promise.race([work, aborted]);
    } catch (error) {
      work.catch((late: unknown) => log.debug("A request ended after its deadline", { error: late }));
      throw abort.signal.aborted && !(error instanceof RequestError) ? interrupted(abort.signal) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The response after an abort for another reason than the deadline, if the client is still connected. */
function interrupted(signal: AbortSignal): unknown {
  if (signal.reason instanceof RequestError) return signal.reason;
  return new RequestError({
    id: "host-stopping",
    code: 503,
    message: "The request was ended before it was done.",
    headers: { "Retry-After": "5" },
    reason: signal.reason,
  });
}
