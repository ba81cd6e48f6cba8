import type { TracingConfiguration } from "../../configuration/observability-configuration.js";
import { errorCode } from "../../system/errors.js";
import { noTracing, type Tracing, type TracingOptions } from "./tracing.js";

/** Traces if an endpoint is configured; without the packages for it, a warning that names them. */
export async function createTracing(options: TracingOptions): Promise<Tracing> {
  const { configuration, environment, log } = options;
  if (!isWanted(configuration, environment)) return noTracing(log);
  try {
    const { exportedTracing } = await import("./exported-tracing.js");
    return exportedTracing(options);
  } catch (error) {
    if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
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
