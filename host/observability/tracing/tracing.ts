import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createTraceState, isSpanContextValid, type SpanContext } from "@opentelemetry/api";
import type { Log } from "@slipway/sdk";
import { untraced, type Work } from "@slipway/sdk/runtime/host";
import type { TracingConfiguration } from "../../configuration/observability-configuration.js";
import { logWith } from "../log.js";
import type { FinishedRequest } from "../requests/finished-requests.js";

/** A request that has come: its id, and what its method and path are. */
export interface BegunRequest {
  requestId: string;
  /** Of the client; it may name the trace that the request is a part of. */
  message: IncomingMessage;
}

/** A request in work. */
export interface TracedRequest {
  readonly work: Work;
  /** Of 32 digits; undefined where there are no traces. */
  readonly traceId: string | undefined;
  end(request: FinishedRequest): void;
}

/** Traces of requests, if a collector is configured. */
export interface Tracing {
  begin(request: BegunRequest): TracedRequest;
  /** Sends what is left, for as long as that may take. */
  stop(): Promise<void>;
}

/** What traces are made of. */
export interface TracingOptions {
  configuration: TracingConfiguration;
  /** The usual variables of OpenTelemetry count too. */
  environment: NodeJS.ProcessEnv;
  version: string;
  log: Log;
}

/** Only lines in the log. */
export function noTracing(log: Log): Tracing {
  const end = (): void => undefined;
  return {
    begin: ({ requestId }) => ({ work: untraced(logWith(log, { requestId })), traceId: undefined, end }),
    stop: async () => undefined,
  };
}

// W3C Trace Context, level 1: which trace a request belongs to.

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const longestState = 512;

/** What the client says; undefined when that is nothing, or not valid. */
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

/** The headers for a server that is asked within a span. */
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
