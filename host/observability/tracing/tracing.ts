import type { IncomingMessage } from "node:http";
import type { Log } from "@slipway/sdk";
import { untraced, type Work } from "@slipway/sdk/runtime/host";
import type { TracingConfiguration } from "../../configuration/observability-configuration.js";
import { logWith } from "../log.js";
import type { FinishedRequest } from "../requests/finished-requests.js";

/** An incoming request. */
export interface BegunRequest {
  requestId: string;
  /** Of the client; it may name the trace that the request is a part of. */
  message: IncomingMessage;
}

/** The trace of a running request. */
export interface TracedRequest {
  readonly work: Work;
  /** 32 hexadecimal digits; undefined without traces. */
  readonly traceId: string | undefined;
  end(request: FinishedRequest): void;
}

/** Traces of requests, if a collector is configured. */
export interface Tracing {
  begin(request: BegunRequest): TracedRequest;
  /** Exports the remaining spans within the limit. */
  stop(): Promise<void>;
}

/** Dependencies of tracing. */
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
