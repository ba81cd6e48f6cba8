import type { IncomingMessage } from "node:http";
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
