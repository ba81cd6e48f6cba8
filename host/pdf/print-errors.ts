/** The errors of printing: those that clients get, and the one that means "try again in another browser". */
import { RequestError } from "@slipway/sdk";

/** The page or the browser died under a document; nothing says that the document is at fault. */
export class BrowserLostError extends Error {
  override readonly name = "BrowserLostError";
}

/** 503: the queue is full; `seconds` until another try makes sense. */
export function overloaded(seconds: number): RequestError {
  return new RequestError({
    id: "request-overloaded",
    code: 503,
    message: `Too many reports are waiting to be printed. Try again in ${seconds} seconds.`,
    headers: { "Retry-After": String(seconds) },
  });
}

/** 503: there is no browser (any more). */
export function unavailable(detail: string): RequestError {
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: `PDF printing is not available: ${detail}`,
    headers: { "Retry-After": "30" },
  });
}

/** 504: the deadline passed in the given phase. */
export function timedOut(phase: string): RequestError {
  return new RequestError({
    id: "request-timeout",
    code: 504,
    message: `The report was not finished in time; the time ran out while ${phase}.`,
  });
}

/** The caller gave up. Its own reason counts when it is an error object already. */
export function aborted(signal: AbortSignal): RequestError {
  if (signal.reason instanceof RequestError) return signal.reason;
  return new RequestError({
    id: "request-aborted",
    code: 499,
    message: "The request was given up before the report was finished.",
  });
}

/** 500: the document does something that a printed document must not do, or Chromium cannot print it. */
export function documentFailed(message: string, reason?: unknown): RequestError {
  return new RequestError({ id: "template-error", code: 500, message, reason });
}

/** 413: more HTML than the configuration allows. */
export function documentTooLarge(bytes: number, limit: number): RequestError {
  return new RequestError({
    id: "request-too-large",
    code: 413,
    message: `The document has ${bytes} characters of HTML; the limit is ${limit}.`,
  });
}
