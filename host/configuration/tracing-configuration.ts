import { type Static, Type } from "@slipway/sdk";

/** The section `tracing` of the configuration. */
export const TracingConfiguration = Type.Object(
  {
    endpoint: Type.Optional(
      Type.String({
        pattern: "^https?://[^/?#@]+(/[^?#]*)?$",
        description:
          "Address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; without it " +
          "OTEL_EXPORTER_OTLP_ENDPOINT counts, and without that there are no traces.",
      }),
    ),
    serviceName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "What traces call this host; without it OTEL_SERVICE_NAME, or slipway.",
      }),
    ),
    sampling: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          "Share of the requests that are traced, from 0 to 1; a client that has decided already is followed. Without it " +
          "OTEL_TRACES_SAMPLER, or all.",
      }),
    ),
  },
  { additionalProperties: false, default: {} },
);
export type TracingConfiguration = Static<typeof TracingConfiguration>;
