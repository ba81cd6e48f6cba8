/** W3C Trace Context, level 1: the trace of a request. */
import type { IncomingHttpHeaders } from "node:http";
import { createTraceState, isSpanContextValid, type SpanContext } from "@opentelemetry/api";

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const longestState = 512;

/** The client's trace; undefined for a missing or invalid header. */
export function readTraceParent(headers: IncomingHttpHeaders): SpanContext | undefined {
  const parent = headers["traceparent"];
  const [, version, traceId, spanId, flags, more] =
    typeof parent === "string" ? (pattern.exec(parent) ?? []) : [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  const state = headers["tracestate"];
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(typeof state === "string" && state.length <= longestState && { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(context) ? context : undefined;
}

/** The headers for a request to another server within a span. */
export function traceHeaders({
  traceId,
  spanId,
  traceFlags,
  traceState,
}: SpanContext): Record<string, string> {
  const flags = traceFlags.toString(16).padStart(2, "0");
  const state = traceState?.serialize() ?? "";
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state !== "" && { tracestate: state }) };
}
