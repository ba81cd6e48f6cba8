import type { AbortingError } from "@slipway/sdk";
import { isJsonObject, parsedJson } from "../../system/json.js";

/** An error that ended a request; what is no host's answer has only these. */
export type HostError = Pick<AbortingError, "id" | "code" | "message"> &
  Partial<AbortingError> & {
    /** Seconds after which the request may be sent again. */
    retryAfter?: number;
  };

/** The answer of the host instead of a result; code 0 where nobody answered. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";

  constructor(readonly error: HostError) {
    super(error.message);
  }
}

/** Id of what is no error of a host. */
export const unknownError = "unknown";

/** Whether a request was given up. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** The error in an answer, also where a proxy answered in place of the host. */
export function errorOf(status: number, text: string): HostError {
  const unknown = { id: unknownError, code: status, message: `The host answered with ${status}.` };
  const parsed = parsedJson(text);
  if (!isJsonObject(parsed)) return unknown;
  const { id, message } = parsed;
  return typeof id === "string" && typeof message === "string"
    ? { ...unknown, ...parsed, id, message }
    : unknown;
}
