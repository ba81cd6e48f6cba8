/** What a plugin tells of its metrics. */
import { type Static, Type } from "../../schema.js";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/**
 * What plugins may have of metrics of their own. A counter or gauge is one sample for each set of labels, a histogram one for
 * each bucket and three more.
 */
export const metricLimits = { metrics: 50, samples: 1000, labels: 5, labelLength: 100, buckets: 20 } as const;

const metricFacts = {
  name: Type.String({ pattern: "^[a-z][a-z0-9_]{0,79}$" }),
  help: Type.String({ maxLength: 500 }),
  /** "plugin" and "version" are the host's, "le" is that of buckets. */
  labels: Type.Array(Type.String({ pattern: "^(?!(plugin|version|le|quantile)$)[a-z][a-z0-9_]{0,39}$" }), {
    maxItems: metricLimits.labels,
    uniqueItems: true,
  }),
};
const labelValues = Type.Array(Type.String({ maxLength: metricLimits.labelLength }), {
  maxItems: metricLimits.labels,
});

/** One metric of a plugin with what became of it since the last report. */
export const MetricReport = Type.Union([
  Type.Object(
    {
      kind: Type.Enum(["counter", "gauge"]),
      ...metricFacts,
      /** `value`: by how much a counter grew, what a gauge is. */
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
      /** Upper bounds, growing; what is above the last one is counted too. */
      buckets: Type.Array(Type.Number(), { minItems: 1, maxItems: metricLimits.buckets }),
      /** `counts`: how many values fell into each bucket and above the last one. */
      series: Type.Array(
        Type.Object({ labels: labelValues, counts: Type.Array(Count), sum: Type.Number() }, closed),
        { maxItems: metricLimits.samples },
      ),
    },
    closed,
  ),
]);
export type MetricReport = Static<typeof MetricReport>;

/** Note of the instance, about once a second while there is something: the metrics of its plugin. */
export const MetricsReport = Type.Object(
  { metrics: Type.Array(MetricReport, { maxItems: metricLimits.metrics }) },
  closed,
);
export type MetricsReport = Static<typeof MetricsReport>;
