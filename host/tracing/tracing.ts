import type { IncomingMessage } from "node:http";
import type { Log } from "@slipway/sdk";
import { logWith } from "../log.js";
import type { FinishedRequest } from "../middleware/request-observer.js";
import type { TracingConfiguration } from "./tracing-configuration.js";
import { untraced, type Work } from "./work.js";

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

/** Traces of requests, where somebody collects them. */
export interface Tracing {
  begin(request: BegunRequest): TracedRequest;
  /** Sends what is left, for as long as that may take. */
  stop(): Promise<void>;
}

/** Only lines in the log. */
export function noTracing(log: Log): Tracing {
  const end = (): void => undefined;
  return {
    begin: ({ requestId }) => ({ work: untraced(logWith(log, { requestId })), traceId: undefined, end }),
    stop: async () => undefined,
  };
}

export interface TracingOptions {
  configuration: TracingConfiguration;
  /** The usual variables of OpenTelemetry count too. */
  environment: NodeJS.ProcessEnv;
  version: string;
  log: Log;
}

/** Traces when an address to send them to is configured. Without the packages for that, a warning that names them, and none. */
export async function createTracing(options: TracingOptions): Promise<Tracing> {
  const { configuration, environment, log } = options;
  if (!isWanted(configuration, environment)) return noTracing(log);
  try {
    const { exportedTracing } = await import("./exported-tracing.js");
    return exportedTracing(options);
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    log.warn(
      "There are no traces: @opentelemetry/sdk-trace-base and @opentelemetry/exporter-trace-otlp-http are not installed; npm install adds them unless it is told to omit optional packages",
      { error },
    );
    return noTracing(log);
  }
}

function isWanted({ endpoint }: TracingConfiguration, environment: NodeJS.ProcessEnv): boolean {
  const given = (name: string): string => environment[name]?.trim() ?? "";
  if (given("OTEL_SDK_DISABLED").toLowerCase() === "true" || given("OTEL_TRACES_EXPORTER") === "none")
    return false;
  return (
    endpoint !== undefined ||
    given("OTEL_EXPORTER_OTLP_ENDPOINT") !== "" ||
    given("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") !== ""
  );
}

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
