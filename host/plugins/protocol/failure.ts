import { RequestError } from "@slipway/sdk";
import { FrameError } from "./frame.js";

/** What the peer hears of an error. Only a `RequestError` says anything of itself; it is the sender's task to log the rest. */
export function shownFailure(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const message = error instanceof FrameError ? `The answer is too large: ${error.message}.` : "It failed.";
  return new RequestError({ id: "internal-error", code: 500, message, reason: error });
}
