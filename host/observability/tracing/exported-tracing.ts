/** Traces for an OpenTelemetry collector; loaded only if one is configured. */
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { Log } from "@slipway/sdk";
import { trimmedEnd } from "@slipway/sdk/runtime/host";
import type { TracingConfiguration } from "../../configuration/observability-configuration.js";
import { percentDecoded } from "../../system/percent-encoding.js";
import { settlesWithin } from "../../system/time.js";
import { logWith } from "../log.js";
import type { FinishedRequest } from "../requests/finished-requests.js";
import { shownPath } from "../requests/request-names.js";
import { readTraceParent } from "./trace-context.js";
import { attributesOf, TracedWork } from "./traced-work.js";
import type { BegunRequest, TracedRequest, Tracing, TracingOptions } from "./tracing.js";

/** Result codes of the SDK; their enumeration is in a package that is no direct dependency. */
const failed = 1;

type Resource = NonNullable<NonNullable<ConstructorParameters<typeof BasicTracerProvider>[0]>["resource"]>;

type Attributes = Resource["attributes"];

/** Milliseconds that a stopping host waits for the export of its last spans. */
const patience = 3000;

/** The SDK keeps at most 2,048 spans, or `OTEL_BSP_MAX_QUEUE_SIZE`, and drops more. */
export function exportedTracing({ configuration, environment, version, log }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter(addressOf(configuration));
  const processor = new BatchSpanProcessor(new WatchedExporter(exporter, log));
  const provider = new BasicTracerProvider({
    resource: resourceOf(configuration, environment, version),
    spanProcessors: [processor],
    ...samplerOf(configuration),
  });
  const tracer = provider.getTracer("slipway", version);
  return {
    begin: (request) => begunRequest(tracer, request, log),
    async stop() {
      await settlesWithin(provider.shutdown(), patience);
    },
  };
}

/** Without one, the exporter reads the usual variables itself. */
function addressOf({ endpoint }: TracingConfiguration): { url?: string } {
  return endpoint === undefined ? {} : { url: `${trimmedEnd(endpoint, "/")}/v1/traces` };
}

/** Without one, the provider reads the usual variables itself. */
function samplerOf({ sampling }: TracingConfiguration): { sampler?: ParentBasedSampler } {
  if (sampling === undefined) return {};
  return { sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampling) }) };
}

function resourceOf(
  { serviceName }: TracingConfiguration,
  environment: NodeJS.ProcessEnv,
  version: string,
): ServiceResource {
  const given = environmentAttributes(environment["OTEL_RESOURCE_ATTRIBUTES"]);
  return new ServiceResource({
    "service.version": version,
    "telemetry.sdk.language": "nodejs",
    "telemetry.sdk.name": "opentelemetry",
    ...given,
    "service.name": serviceName ?? environment["OTEL_SERVICE_NAME"] ?? given["service.name"] ?? "slipway",
  });
}

function begunRequest(
  tracer: Tracer,
  { requestId, message }: BegunRequest,
  log: TracingOptions["log"],
): TracedRequest {
  const method = message.method ?? "-";
  const client = readTraceParent(message.headers);
  const above = client === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, client);
  const attributes = {
    "http.request.method": method,
    "url.scheme": "encrypted" in message.socket ? "https" : "http",
    "url.path": shownPath(message.url?.split("?", 1)[0] ?? ""),
    "network.protocol.version": message.httpVersion,
    "slipway.request.id": requestId,
  };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, above);
  const { traceId } = span.spanContext();
  const work = new TracedWork(tracer, span, logWith(log, { requestId, traceId }));
  return { work, traceId, end: (request) => endSpan(span, request) };
}

function endSpan(span: Span, request: FinishedRequest): void {
  const { method, status, errorId, target, operation, client, session, isComplete } = request;
  const route = target && `/${target.release}/EAIWS/plugins/${target.plugin}/${target.operation}`;
  const known = route ?? operation;
  if (known !== undefined) span.updateName(`${method} ${known}`);
  span.setAttributes(
    attributesOf({
      "http.route": route,
      "http.response.status_code": status,
      "client.address": client,
      "error.type": errorId,
      "slipway.operation": target?.operation ?? operation,
      "slipway.release": target?.release,
      "slipway.plugin": target?.plugin,
      "slipway.plugin.version": target?.version,
      "slipway.session": session,
      "slipway.answer.complete": isComplete,
    }),
  );
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The resource attributes of the host. */
class ServiceResource implements Resource {
  constructor(readonly attributes: Attributes) {}

  merge(other: Resource | null): Resource {
    return other === null ? this : new ServiceResource({ ...this.attributes, ...other.attributes });
  }

  getRawAttributes(): ReturnType<Resource["getRawAttributes"]> {
    return Object.entries(this.attributes);
  }
}

/** `OTEL_RESOURCE_ATTRIBUTES`, such as "deployment.environment.name=production,team=reports"; invalid parts are ignored. */
function environmentAttributes(text: string | undefined): Attributes {
  const pairs = (text ?? "").split(",").map((pair) => pair.split("="));
  return Object.fromEntries(
    pairs.flatMap(([name = "", value, ...more]) => {
      if (name.trim() === "" || value === undefined || more.length > 0) return [];
      return [[name.trim(), percentDecoded(value.trim())]];
    }),
  );
}

/** Wraps an exporter; logs once that spans do not arrive, and once that they arrive again. */
class WatchedExporter implements SpanExporter {
  private isFailing = false;
  private lost = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Log,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter["export"]>[1]): void {
    this.exporter.export(spans, (result) => {
      if (result.code === failed) this.failed(spans.length, result.error);
      else this.arrived();
      // The SDK would write a failure to the console.
      done({ code: 0 });
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  private failed(spans: number, error: unknown): void {
    this.lost += spans;
    if (this.isFailing) return;
    this.isFailing = true;
    this.log.warn("Traces cannot be sent", { error });
  }

  private arrived(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.log.info("Traces are sent again", { lost: this.lost });
    this.lost = 0;
  }
}
