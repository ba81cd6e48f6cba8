/** The errors of printing: those that clients get, and the one that means "try again in another browser". */
import { RequestError } from "@slipway/sdk";

/** The page or the browser died under a document; nothing says that the document is at fault. */
export class BrowserLostError extends Error {
  override readonly name = "BrowserLostError";
}

/** 503: there is no browser (any more). */
export function unavailable(detail: string): RequestError {
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: `PDFs cannot be printed at the moment, because ${detail}. Try again, or tell the admin.`,
    headers: { "Retry-After": "30" },
  });
}

/** 504: the deadline passed in the given phase. */
export function timedOut(phase: string): RequestError {
  return new RequestError({
    id: "request-timeout",
    code: 504,
    message: `The report took too long; it ended while ${phase}. Try again, or choose fewer items.`,
  });
}

/** The caller gave up. Its own reason counts when it is an error object already. */
export function aborted(signal: AbortSignal): RequestError {
  if (signal.reason instanceof RequestError) return signal.reason;
  return new RequestError({
    id: "request-aborted",
    code: 499,
    message: "The request was cancelled before the report was finished.",
  });
}

/** 500: the document does something that a printed document must not do, or Chromium cannot print it. */
export function documentFailed(message: string, reason?: unknown): RequestError {
  return new RequestError({ id: "template-error", code: 500, message, reason });
}

/** The settings that limit a document, with the beginning of the message when it exceeds them. */
const excess = {
  documentBytes: (value: number) => `The document has ${value} bytes of HTML`,
  documentPages: (value: number) => `The document has ${value} pages`,
  documentMemory: (value: number) => `Printing the document took ${value} MiB of memory`,
  outputBytes: (value: number) => `The PDF has at least ${value} bytes`,
};

/** 413: the document is, or takes, more than the setting of `pdf` allows. */
export function documentTooLarge(setting: keyof typeof excess, value: number, limit: number): RequestError {
  return new RequestError({
    id: "request-too-large",
    code: 413,
    message: `${excess[setting](value)}, but at most ${limit} are allowed (pdf.${setting}). Choose fewer items, or ask the admin for a higher limit.`,
    additionalInformation: { setting: `pdf.${setting}`, limit, value },
  });
}
