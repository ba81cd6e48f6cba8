import type { Log } from "../../plugin/handler-context.js";
import {
  RequestError,
  type SuppressedError,
  type Suppression,
  suppressedError,
} from "../../schema/errors.js";
import type { Message } from "../messages/message.js";
import { deniedAccess } from "./denied-access.js";
import { type RequestScope, requestScope } from "./host-link.js";
import type { RemoteMetrics } from "./remote-metrics.js";

/**
 * The error that the client receives for one of a handler: a `RequestError` unchanged, anything else without its details,
 * which are logged. `what` is the route or method, for the log.
 */
function shownError(error: unknown, what: string, log: Log, signal: AbortSignal): RequestError {
  if (error instanceof RequestError && error.code >= 400 && error.code <= 599) {
    if (error.cause !== undefined) log.warn(`${what}: ${error.message}`, { error: error.cause });
    return error;
  }
  if (!signal.aborted) log.error(`${what} failed`, withHint(error));
  return new RequestError({
    id: "plugin-error",
    code: 500,
    message: "The plugin failed. The log of the host says why.",
    reason: error,
  });
}

/** The fields of a log line about an error; `hint` where the confinement of the process is its reason. */
function withHint(error: unknown): Record<string, unknown> {
  const hint = deniedAccess(error);
  return { error, ...(hint !== undefined && { hint }) };
}

/** Runs a handler for a call and converts its errors for the caller. `what` as for `shownError`. */
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

/** The suppressed errors of one call, in order; the plugin's metrics count them. */
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
