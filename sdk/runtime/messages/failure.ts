/** How an error crosses between host and plugin, and what is left of it when the sender is not trusted. */
import { AbortingError, RequestError } from "../../errors.js";
import { Type } from "../../schema.js";
import { Validator } from "../../validation.js";

const Failure = Type.Object({
  error: AbortingError,
  /** Only these are ever set by an error. */
  headers: Type.Object(
    { "Retry-After": Type.Optional(Type.String({ pattern: "^[0-9]{1,9}$" })) },
    { additionalProperties: false },
  ),
});

const check = new Validator().compile(Failure, "failure");

/** What crosses of an error. Only a `RequestError` says anything of itself; it is the sender's task to log the rest. */
export function describeFailure(error: unknown): Record<string, unknown> {
  const shown = error instanceof RequestError ? error : unexpected(error);
  const retryAfter = shown.headers["Retry-After"];
  return {
    error: shown.toObject(),
    headers: retryAfter !== undefined && /^[0-9]{1,9}$/.test(retryAfter) ? { "Retry-After": retryAfter } : {},
  };
}

/** The error that came, or 500 `plugin-error` when it is none. */
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

function unexpected(reason: unknown): RequestError {
  return new RequestError({ id: "internal-error", code: 500, message: "It failed.", reason });
}
