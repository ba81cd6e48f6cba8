import type { Log } from "@slipway/sdk";
import { isProbe } from "./probes.js";
import type { RequestObserver } from "./request-observer.js";

/** One line in the log for each request; probes that went well are for those who look for them. That a client made a mistake is nothing to warn of. */
export function requestLines(log: Log): RequestObserver {
  return (finished) => {
    const { time: _, isComplete, target, waited, ...request } = finished;
    const level = isProbe(finished) ? "debug" : "info";
    log[level](isComplete ? "request" : "request without its whole answer", {
      ...request,
      ...(waited > 0 && { waited }),
      ...(target && {
        plugin: `${target.plugin}@${target.version}`,
        release: target.release,
        operation: target.operation,
      }),
    });
  };
}
