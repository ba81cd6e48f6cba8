import { RequestError, type SuppressedError, type Suppression, suppressedError } from "../../errors.js";
import type { Log } from "../../plugin/handler-context.js";
import type { RemoteMetrics } from "./remote-metrics.js";

/**
 * What becomes of an error of a handler. A `RequestError` is what the plugin wants to say; of everything else the log has
 * the details and the client none. `what` is the route or method, for the log.
 */
export function shownError(error: unknown, what: string, log: Log, signal: AbortSignal): RequestError {
  if (error instanceof RequestError && error.code >= 400 && error.code <= 599) {
    if (error.cause !== undefined) log.warn(`${what}: ${error.message}`, { error: error.cause });
    return error;
  }
  if (!signal.aborted) log.error(`${what} failed`, { error });
  return new RequestError({ id: "plugin-error", code: 500, message: "The plugin failed.", reason: error });
}

/** What one call of a handler suppresses, in order; the plugin's metrics count it. */
export class SuppressedErrors {
  readonly all: SuppressedError[] = [];

  constructor(private readonly metrics: Pick<RemoteMetrics, "suppressed">) {}

  /** As handlers call it. */
  readonly suppress = (suppression: Suppression | SuppressedError): void => {
    const error = suppressedError(suppression);
    this.all.push(error);
    this.metrics.suppressed(error.id);
  };
}
