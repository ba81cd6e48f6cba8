import { AbortingError, RequestError } from "../../schema/errors.js";
import { Type } from "../../schema/schema.js";
import { Validator } from "../../schema/validation.js";
import type { MetricReport } from "./metric-report.js";

/** A possibly large piece of a message: bytes, or text as UTF-8. */
export type Part = Uint8Array | string;

/** The content of a call or an answer: small values, and parts for everything that may be large. */
export interface Message {
  values: Record<string, unknown>;
  parts: Part[];
}

/** A message without content. */
export const plain: Message = { values: {}, parts: [] };

export interface Received {
  values: Record<string, unknown>;
  parts: Buffer[];
}

/** Suffixes that monitoring formats reserve; counters get "_total". */
const reserved = /_(?:total|bucket|sum|count|created|info)$/;

/**
 * Checks what the schema cannot: problems that a monitoring system would have with the metric, as one
 * sentence.
 */
export function metricProblem(metric: MetricReport): string | undefined {
  const { kind, name } = metric;
  const hasEnding = kind === "counter" ? name.endsWith("_total") : !reserved.test(name);
  if (!hasEnding) {
    const expected = kind === "counter" ? 'a name that ends with "_total"' : "a name with another ending";
    return `name: expected ${expected}, received ${JSON.stringify(name)}`;
  }
  const bounds = metric.kind === "histogram" ? metric.buckets : [];
  const grow = bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? bound));
  return grow && bounds.every(Number.isFinite) ? undefined : "buckets: expected finite, increasing bounds";
}

// Errors between host and plugin; the sender is not trusted.

const Failure = Type.Object({
  error: AbortingError,
  /** The only headers that errors set. */
  headers: Type.Object(
    { "Retry-After": Type.Optional(Type.String({ pattern: "^[0-9]{1,9}$" })) },
    { additionalProperties: false },
  ),
});

const check = new Validator({ lazy: true }).compile(Failure, "failure");

/** Serializes an error. Only a `RequestError` keeps its details; the sender logs all others. */
export function describeFailure(error: unknown): Record<string, unknown> {
  const shown = error instanceof RequestError ? error : unexpected(error);
  const retryAfter = shown.headers["Retry-After"];
  return {
    error: shown.toObject(),
    headers: retryAfter !== undefined && /^[0-9]{1,9}$/.test(retryAfter) ? { "Retry-After": retryAfter } : {},
  };
}

/** The parsed error, or 500 `plugin-error` if it is not one. */
export function readFailure(values: unknown): RequestError {
  const result = check(values);
  if (!result.ok || result.value.error.code < 400 || result.value.error.code > 599) {
    return new RequestError({
      id: "plugin-error",
      code: 500,
      message: "The plugin threw a value that is not an error.",
      reason: values,
    });
  }
  const retryAfter = result.value.headers["Retry-After"];
  return RequestError.from(result.value.error, retryAfter === undefined ? {} : { "Retry-After": retryAfter });
}

function unexpected(reason: unknown): RequestError {
  return new RequestError({
    id: "internal-error",
    code: 500,
    message: "The host failed. Its log says why.",
    reason,
  });
}
