import type { Log } from "../../plugin/handler-context.js";
import {
  RequestError,
  type SuppressedError,
  type Suppression,
  suppressedError,
} from "../../schema/errors.js";
import type { Message } from "../messages/message.js";
import { type RequestScope, requestScope } from "./host-link.js";
import type { RemoteMetrics } from "./remote-metrics.js";

/**
 * What becomes of an error of a handler. A `RequestError` is what the plugin wants to say; of everything else the log has
 * the details and the client none. `what` is the route or method, for the log.
 */
function shownError(error: unknown, what: string, log: Log, signal: AbortSignal): RequestError {
  if (error instanceof RequestError && error.code >= 400 && error.code <= 599) {
    if (error.cause !== undefined) log.warn(`${what}: ${error.message}`, { error: error.cause });
    return error;
  }
  if (!signal.aborted) log.error(`${what} failed`, { error });
  return new RequestError({
    id: "plugin-error",
    code: 500,
    message: "The plugin failed. The log of the host says why.",
    reason: error,
  });
}

/** Runs a handler for a call; what it throws becomes the error that the caller sees. `what` as for `shownError`. */
export async function runHandler(
  what: string,
  scope: RequestScope,
  log: Log,
  handler: () => Promise<Message>,
): Promise<Message> {
  return await requestScope.run(scope, async () => {
    try {
      return await handler();
    } catch (error) {
      throw shownError(error, what, log, scope.signal);
    }
  });
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
