import type { HostError } from "./host-answers.js";

/** What the host answered with instead of a result; code 0 where nobody answered. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";

  constructor(readonly error: HostError) {
    super(error.message);
  }
}

/** Whether somebody gave the request up. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
