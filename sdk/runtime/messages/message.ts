import { AbortingError, RequestError } from "../../errors.js";
import { Type } from "../../schema.js";
import { Validator } from "../../validation.js";
import type { MetricReport } from "./metric-report.js";

/** A piece of a message that may be large: text as UTF-8, or bytes. */
export type Part = Uint8Array | string;

/** What a call or its answer carries: small values, and parts for everything that may be large. */
export interface Message {
  values: Record<string, unknown>;
  parts: Part[];
}

/** A message that came in. */
export interface Received {
  values: Record<string, unknown>;
  parts: Buffer[];
}

/** Endings that the formats of monitoring systems use themselves; that of counters is "_total". */
const reserved = /_(?:total|bucket|sum|count|created|info)$/;

/** What a monitoring system would not understand of a metric, beyond its schema; one sentence. */
export function metricProblem(metric: MetricReport): string | undefined {
  const { kind, name } = metric;
  const hasEnding = kind === "counter" ? name.endsWith("_total") : !reserved.test(name);
  if (!hasEnding) {
    const expected = kind === "counter" ? 'a name that ends with "_total"' : "a name with another ending";
    return `name: expected ${expected}, received ${JSON.stringify(name)}`;
  }
  const bounds = metric.kind === "histogram" ? metric.buckets : [];
  const grow = bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? bound));
  return grow && bounds.every(Number.isFinite) ? undefined : "buckets: expected finite bounds that grow";
}

// How an error crosses between host and plugin, and what is left of it when the sender is not trusted.

const Failure = Type.Object({
  error: AbortingError,
  /** Only these are ever set by an error. */
  headers: Type.Object(
    { "Retry-After": Type.Optional(Type.String({ pattern: "^[0-9]{1,9}$" })) },
    { additionalProperties: false },
  ),
});

const check = new Validator({ lazy: true }).compile(Failure, "failure");

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
      message: "The plugin threw a value that is not an error.",
      reason: values,
    });
  }
  const retryAfter = result.value.headers["Retry-After"];
  return RequestError.from(result.value.error, retryAfter === undefined ? {} : { "Retry-After": retryAfter });
}

function unexpected(reason: unknown): RequestError {
  return new RequestError({ id: "internal-error", code: 500, message: "It failed.", reason });
}
