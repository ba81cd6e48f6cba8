/** What clients hear when a plugin does not come to an answer of its own. */
import { RequestError } from "../../errors.js";

/** 503 that says when to come back. */
export function unavailable(plugin: string, reason?: unknown): RequestError {
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: `The plugin ${plugin} is not available right now.`,
    headers: { "Retry-After": "1" },
    reason,
  });
}

/** 500 for a request that its plugin failed on; the log has the details. */
export function pluginFailed(plugin: string, reason?: unknown): RequestError {
  return new RequestError({ id: "plugin-error", code: 500, message: `The plugin ${plugin} failed.`, reason });
}

/** 504 at the deadline. */
export function timedOut(plugin: string): RequestError {
  return new RequestError({
    id: "request-timeout",
    code: 504,
    message: `The plugin ${plugin} did not answer in time.`,
  });
}

/** 500 for services that a plugin asks for, or still has at work, when the request that they are for has its answer. */
export function requestOver(): RequestError {
  return new RequestError({
    id: "plugin-error",
    code: 500,
    message: "The request that this is for is over.",
  });
}

/** 503 for a plugin that asks for a service that too many use already. */
export function tooManyServiceCalls(plugin: string): RequestError {
  return new RequestError({
    id: "request-overloaded",
    code: 503,
    message: `Too many calls use the services of ${plugin}.`,
    headers: { "Retry-After": "1" },
  });
}

/** 500 for a plugin that uses the host wrongly. */
export function pluginMistake(message: string, reason?: unknown): RequestError {
  return new RequestError({ id: "plugin-error", code: 500, message, reason });
}
