/** What requests are refused with before a plugin sees them. */
import { type AbortingError, RequestError } from "../../errors.js";
import { shortened } from "../../shortened.js";

/** Characters of a path or a message, which may quote what came. */
const longestName = 300;
const longestMessage = 10_000;

/** 404 `request-not-found`; for paths, releases, plugins and files. */
export function notFound(what: string, additionalInformation: Record<string, unknown> = {}): RequestError {
  return new RequestError({
    id: "request-not-found",
    code: 404,
    message: `There is nothing at ${shortened(what, longestName)}.`,
    additionalInformation,
  });
}

/** 405 with the methods that would do. */
export function methodNotAllowed(method: string, allowed: readonly string[]): RequestError {
  return new RequestError({
    id: "request-method-not-allowed",
    code: 405,
    message: `${method} is not allowed here; allowed: ${allowed.join(", ")}.`,
    additionalInformation: { allowed },
    headers: { Allow: allowed.join(", ") },
  });
}

/** 413 for a body beyond a limit in bytes. */
export function bodyTooLarge(limit: number): RequestError {
  return new RequestError({
    id: "request-too-large",
    code: 413,
    message: `The body is larger than ${limit} bytes.`,
    additionalInformation: { limit },
  });
}

/** For a session that never was, or is no more: 422 for plugins (interface document, section 7), 404 for its own path. */
export function sessionNotFound(id: string, code: 404 | 422 = 422): RequestError {
  return new RequestError({
    id: "request-session-not-found",
    code,
    message: `The session ${id} is not active.`,
  });
}

/** 504 at the deadline of a request, which it had so many milliseconds for. */
export function requestTimedOut(milliseconds: number): RequestError {
  return new RequestError({
    id: "request-timeout",
    code: 504,
    message: `The plugin did not answer within ${milliseconds} ms.`,
  });
}

/** The body of the answer for an error. What a client cannot mend it reports, with what finds the lines of the log. */
export function errorBody(error: RequestError, requestId: string): AbortingError {
  const whole = error.toObject();
  const body = { ...whole, message: shortened(whole.message, longestMessage) };
  if (error.code < 500) return body;
  return { ...body, additionalInformation: { ...body.additionalInformation, requestId } };
}
