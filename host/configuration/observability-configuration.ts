import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";
import { Integer } from "./numbers.js";

export const AuditConfiguration = Type.Object(
  {
    required: Type.Boolean({
      default: true,
      description: "Refuses changes of plugins while the audit trail is not writable.",
      ...live,
    }),
    bytes: Integer([10_000, 1_000_000_000], 10 * 1024 * 1024, "Bytes of one file of the audit trail."),
    files: Integer(
      [2, 1000],
      5,
      "Number of audit trail files; the oldest is deleted when a new one is started.",
    ),
  },
  { additionalProperties: false },
);

export const MetricsConfiguration = Type.Object(
  {
    retention: Integer(
      [1000, 2_147_483_647],
      900_000,
      "Time for which metrics of a removed plugin version are still shown, in milliseconds.",
    ),
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
