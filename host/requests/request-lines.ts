import type { Log } from "@slipway/sdk";
import type { RequestObserver } from "../middleware/request-observer.js";

/** One line in the log for each request. That a client made a mistake is nothing to warn of. */
export function requestLines(log: Log): RequestObserver {
  return ({ time: _, isComplete, target, waited, ...request }) =>
    log.info(isComplete ? "request" : "request without its whole answer", {
      ...request,
      ...(waited > 0 && { waited }),
      ...(target && {
        plugin: `${target.plugin}@${target.version}`,
        release: target.release,
        operation: target.operation,
      }),
    });
}
