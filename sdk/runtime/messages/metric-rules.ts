import type { MetricReport } from "./metric-report.js";

/** Endings that the formats of monitoring systems use themselves; that of counters is "_total". */
const reserved = /_(?:total|bucket|sum|count|created|info)$/;

/** What a monitoring system would not understand of a metric, beyond its schema; one sentence. */
export function metricProblem(metric: MetricReport): string | undefined {
  const { kind, name } = metric;
  const hasEnding = kind === "counter" ? name.endsWith("_total") : !reserved.test(name);
  if (!hasEnding) {
    const expected = kind === "counter" ? 'a name that ends with "_total"' : "a name with another ending";
    return `name: expected ${expected}, received ${JSON.stringify(name)}`;
  }
  const bounds = metric.kind === "histogram" ? metric.buckets : [];
  const grow = bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? bound));
  return grow && bounds.every(Number.isFinite) ? undefined : "buckets: expected finite bounds that grow";
}
