import type { AbortingError } from "@slipway/sdk";
import { isJsonObject, parsedJson } from "../../system/json.js";

/** An aborting error; errors that are not from the host have these members only. */
export type HostError = Pick<AbortingError, "id" | "code" | "message"> &
  Partial<AbortingError> & {
    /** Seconds until the client may repeat the request. */
    retryAfter?: number;
  };

/** A failed request; code 0 without a response. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";

  constructor(readonly error: HostError) {
    super(error.message);
  }
}

/** Id of errors that are not from the host. */
export const unknownError = "unknown";

/** Whether a request was cancelled. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** The error in a response, also in that of a proxy. */
export function errorOf(status: number, text: string): HostError {
  const unknown = { id: unknownError, code: status, message: `The host answered with ${status}.` };
  const parsed = parsedJson(text);
  if (!isJsonObject(parsed)) return unknown;
  const { id, message } = parsed;
  return typeof id === "string" && typeof message === "string"
    ? { ...unknown, ...parsed, id, message }
    : unknown;
}
