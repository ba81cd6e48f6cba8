/** How an error crosses between host and instance, and what is left of it when the sender is not trusted. */
import { AbortingError, RequestError, Type, Validator } from "@slipway/sdk";
import { FrameError } from "./frame.js";

const Failure = Type.Object({
  error: AbortingError,
  /** Only these are ever set by an error. */
  headers: Type.Object(
    { "Retry-After": Type.Optional(Type.String({ pattern: "^[0-9]{1,9}$" })) },
    { additionalProperties: false },
  ),
});

const check = new Validator().compile(Failure, "failure");

/** The values of a failure frame. Only a `RequestError` says anything of itself; it is the sender's task to log the rest. */
export function describeFailure(error: unknown): Record<string, unknown> {
  const shown = error instanceof RequestError ? error : unexpected(error);
  const retryAfter = shown.headers["Retry-After"];
  return {
    error: shown.toObject(),
    headers: retryAfter !== undefined && /^[0-9]{1,9}$/.test(retryAfter) ? { "Retry-After": retryAfter } : {},
  };
}

/** The error of a failure frame. */
export function readFailure(values: unknown): RequestError {
  const result = check(values);
  if (!result.ok || result.value.error.code < 400 || result.value.error.code > 599) {
    return new RequestError({
      id: "plugin-error",
      code: 500,
      message: "The plugin failed with an error that is none.",
      reason: values,
    });
  }
  const retryAfter = result.value.headers["Retry-After"];
  return RequestError.from(result.value.error, retryAfter === undefined ? {} : { "Retry-After": retryAfter });
}

function unexpected(error: unknown): RequestError {
  const message = error instanceof FrameError ? `The answer is too large: ${error.message}.` : "It failed.";
  return new RequestError({ id: "internal-error", code: 500, message, reason: error });
}
