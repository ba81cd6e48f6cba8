import { RequestError } from "@slipway/sdk";
import { describeFailure } from "@slipway/sdk/runtime";
import { FrameError } from "./frame.js";

/** The values of a failure frame; also for what could not be sent because of its size. */
export function failureValues(error: unknown): Record<string, unknown> {
  if (!(error instanceof FrameError)) return describeFailure(error);
  const message = `The answer is too large: ${error.message}.`;
  return describeFailure(new RequestError({ id: "internal-error", code: 500, message, reason: error }));
}
