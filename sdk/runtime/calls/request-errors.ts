/** Errors of requests that the host refuses before a plugin receives them, or that a plugin does not answer. */
import { type AbortingError, RequestError } from "../../schema/errors.js";
import { shortened } from "../../schema/text.js";

/** Characters of a path or a message, both of which may quote client input. */
const longestName = 300;
const longestMessage = 10_000;

/** 404 `request-not-found`; for paths, releases, plugins and files. */
export function notFound(what: string, additionalInformation: Record<string, unknown> = {}): RequestError {
  return new RequestError({
    id: "request-not-found",
    code: 404,
    message: `There is nothing at ${shortened(what, longestName)}. Check the address.`,
    additionalInformation,
  });
}

/** 405 with the allowed methods. */
export function methodNotAllowed(method: string, allowed: readonly string[]): RequestError {
  return new RequestError({
    id: "request-method-not-allowed",
    code: 405,
    message: `This address does not accept ${method}; use ${allowed.join(" or ")}.`,
    additionalInformation: { allowed },
    headers: { Allow: allowed.join(", ") },
  });
}

/** 413 for a body beyond a limit in bytes. */
export function bodyTooLarge(limit: number): RequestError {
  return new RequestError({
    id: "request-too-large",
    code: 413,
    message: `The request is larger than the ${limit} bytes that are allowed. Send less, or ask the admin for a higher limit.`,
    additionalInformation: { limit },
  });
}

/**
 * For an unknown or expired session: 422 for plugins (interface document, section 7), 404 for its own path.
 */
export function sessionNotFound(id: string, code: 404 | 422 = 422): RequestError {
  return new RequestError({
    id: "request-session-not-found",
    code,
    message: `The session ${shortened(id, longestName)} is unknown or has expired. Open the project again.`,
  });
}

/** 504 at the deadline of a request, `milliseconds` after its arrival. */
export function requestTimedOut(milliseconds: number): RequestError {
  return new RequestError({
    id: "request-timeout",
    code: 504,
    message: `The plugin did not answer within ${milliseconds} ms. Try again, or request less at once.`,
  });
}

/** The response body for an error. Server errors include the request id, which identifies the log lines. */
export function errorBody(error: RequestError, requestId: string): AbortingError {
  const whole = error.toObject();
  const body = { ...whole, message: shortened(whole.message, longestMessage) };
  if (error.code < 500) return body;
  return { ...body, additionalInformation: { ...body.additionalInformation, requestId } };
}

/** 503 with `Retry-After`. */
export function unavailable(plugin: string, reason?: unknown): RequestError {
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: `The plugin ${plugin} is not available at the moment. Try again.`,
    headers: { "Retry-After": "1" },
    reason,
  });
}

/** 500 for a request that the plugin failed on; the log has the details. */
export function pluginFailed(plugin: string, reason?: unknown): RequestError {
  return new RequestError({
    id: "plugin-error",
    code: 500,
    message: `The plugin ${plugin} failed. The log of the host says why.`,
    reason,
  });
}

/** 504 at the deadline. */
export function timedOut(plugin: string): RequestError {
  return new RequestError({
    id: "request-timeout",
    code: 504,
    message: `The plugin ${plugin} did not answer in time. Try again, or request less at once.`,
  });
}

/** 500 for service calls that start or are still running after their request was answered. */
export function requestOver(): RequestError {
  return new RequestError({
    id: "plugin-error",
    code: 500,
    message: "The plugin used a request that had already ended.",
  });
}

/** 503 for a call of a service that has too many callers already. */
export function tooManyServiceCalls(plugin: string): RequestError {
  return new RequestError({
    id: "request-overloaded",
    code: 503,
    message: `The services of the plugin ${plugin} have too many calls at the moment. Try again.`,
    headers: { "Retry-After": "1" },
  });
}

/** 500 for a plugin that misuses the host. */
export function pluginMistake(message: string, reason?: unknown): RequestError {
  return new RequestError({ id: "plugin-error", code: 500, message, reason });
}
