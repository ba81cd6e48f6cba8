import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";

export const AuditConfiguration = Type.Object(
  {
    required: Type.Boolean({
      default: true,
      description: "Refuses changes of plugins while the audit trail is not writable.",
      ...live,
    }),
    bytes: Type.Integer({
      minimum: 10_000,
      maximum: 1_000_000_000,
      default: 10 * 1024 * 1024,
      description: "Bytes of one file of the audit trail.",
    }),
    files: Type.Integer({
      minimum: 2,
      maximum: 1000,
      default: 5,
      description: "Number of audit trail files; the oldest is deleted when a new one is started.",
    }),
  },
  { additionalProperties: false },
);

export const MetricsConfiguration = Type.Object(
  {
    retention: Type.Integer({
      minimum: 1000,
      maximum: 2_147_483_647,
      default: 900_000,
      description: "Time for which metrics of a removed plugin version are still shown, in milliseconds.",
    }),
  },
  { additionalProperties: false, ...live },
);
export type MetricsConfiguration = Static<typeof MetricsConfiguration>;

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
        description: "Service name in traces; the default is OTEL_SERVICE_NAME, or slipway.",
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
