/** The metrics that a plugin reports. */
import { type Static, Type } from "../../schema/schema.js";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/**
 * Limits for a plugin's metrics. A counter or gauge has one sample per set of labels, a histogram one per
 * bucket and three more.
 */
export const metricLimits = { metrics: 50, samples: 1000, labels: 5, labelLength: 100, buckets: 20 } as const;

const metricFacts = {
  name: Type.String({ pattern: "^[a-z][a-z0-9_]{0,79}$" }),
  help: Type.String({ maxLength: 500 }),
  /** The host sets "plugin" and "version"; buckets use "le". */
  labels: Type.Array(Type.String({ pattern: "^(?!(plugin|version|le|quantile)$)[a-z][a-z0-9_]{0,39}$" }), {
    maxItems: metricLimits.labels,
    uniqueItems: true,
  }),
};
const labelValues = Type.Array(Type.String({ maxLength: metricLimits.labelLength }), {
  maxItems: metricLimits.labels,
});

/** One metric of a plugin with its changes since the last report. */
export const MetricReport = Type.Union([
  Type.Object(
    {
      kind: Type.Enum(["counter", "gauge"]),
      ...metricFacts,
      /** `value`: the increase of a counter, the current value of a gauge. */
      series: Type.Array(Type.Object({ labels: labelValues, value: Type.Number() }, closed), {
        maxItems: metricLimits.samples,
      }),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("histogram"),
      ...metricFacts,
      /** Ascending upper bounds; values above the last one are counted as well. */
      buckets: Type.Array(Type.Number(), { minItems: 1, maxItems: metricLimits.buckets }),
      /** `counts`: the number of values in each bucket and above the last one. */
      series: Type.Array(
        Type.Object({ labels: labelValues, counts: Type.Array(Count), sum: Type.Number() }, closed),
        { maxItems: metricLimits.samples },
      ),
    },
    closed,
  ),
]);
export type MetricReport = Static<typeof MetricReport>;

/** Notification from the instance, at most about once a second: the metrics of its plugin. */
export const MetricsReport = Type.Object(
  { metrics: Type.Array(MetricReport, { maxItems: metricLimits.metrics }) },
  closed,
);
export type MetricsReport = Static<typeof MetricsReport>;
