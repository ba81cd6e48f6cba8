import type { Log } from "../../plugin/handler-context.js";
import {
  durationBuckets,
  type MetricCounter,
  type MetricGauge,
  type MetricHistogram,
  type Metrics,
} from "../../plugin/metrics.js";
import { type MetricsReport, metricLimits } from "../messages/metric-report.js";
import { checkMetric, type MetricFacts, OwnMetric } from "./own-metric.js";

/** Milliseconds between two reports. */
const interval = 1000;

/** Ids of suppressed errors that are counted individually. */
const mostErrorIds = 50;

/** The metrics of a plugin: collected here and reported to the host about once a second. */
export class RemoteMetrics implements Metrics {
  private readonly metrics = new Map<string, OwnMetric>();
  private samples = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Warnings already logged. */
  private readonly loggedWarnings = new Set<string>();
  private readonly errorIds = new Set<string>();
  private readonly noteSuppressed = this.noting({
    kind: "counter",
    name: "suppressed_errors_total",
    help: "Errors that did not end a request, and that its answer tells of.",
    labels: ["id"],
    buckets: [],
  });

  constructor(
    private readonly report: (report: MetricsReport) => void,
    private readonly log: Log,
  ) {}

  counter<L extends string>(name: string, help: string, labels: readonly L[] = []): MetricCounter<L> {
    const note = this.checked({ kind: "counter", name, help, labels: [...labels], buckets: [] });
    return { add: (amount, ...given) => note(amount, given) };
  }

  gauge<L extends string>(name: string, help: string, labels: readonly L[] = []): MetricGauge<L> {
    const note = this.checked({ kind: "gauge", name, help, labels: [...labels], buckets: [] });
    return { set: (value, ...given) => note(value, given) };
  }

  histogram<L extends string>(
    name: string,
    help: string,
    labels: readonly L[] = [],
    buckets = durationBuckets,
  ): MetricHistogram<L> {
    const facts: MetricFacts = {
      kind: "histogram",
      name,
      help,
      labels: [...labels],
      buckets: [...buckets],
    };
    const note = this.checked(facts);
    return { observe: (value, ...given) => note(value, given) };
  }

  suppressed(id: string): void {
    if (this.errorIds.size < mostErrorIds) this.errorIds.add(id);
    this.noteSuppressed(1, [{ id: this.errorIds.has(id) ? id : "other" }]);
  }

  /** Sends the collected metrics to the host immediately. */
  send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const metrics = [...this.metrics.values()].flatMap((metric) => metric.take() ?? []);
    if (metrics.length === 0) return;
    try {
      this.report({ metrics });
    } catch (error) {
      this.warn("Metrics were too large to be reported.", { error });
    }
  }

  private checked(facts: MetricFacts): ReturnType<RemoteMetrics["noting"]> {
    checkMetric(facts);
    return this.noting(facts);
  }

  /** Records a value with the labels that follow it. */
  private noting(facts: MetricFacts): (value: number, given: readonly unknown[]) => void {
    const metric = this.metricOf(facts);
    if (metric === undefined) return () => undefined;
    return (value, given) => {
      const room = metricLimits.samples - this.samples;
      const noted = metric.note(value, given[0], room);
      if (typeof noted === "string") this.warn(noted, { metric: facts.name });
      else this.samples += noted;
      this.timer ??= setTimeout(() => this.send(), interval).unref();
    };
  }

  /** Returns the existing metric of that name, or a new one; undefined if there are too many. */
  private metricOf(facts: MetricFacts): OwnMetric | undefined {
    const known = this.metrics.get(facts.name);
    if (known !== undefined) {
      if (known.isOf(facts)) return known;
      throw new TypeError(`The metric ${facts.name} is there already, with another kind, labels or buckets.`);
    }
    if (this.metrics.size >= metricLimits.metrics) {
      this.warn(`A plugin may have ${metricLimits.metrics} metrics; the others are dropped.`, {
        metric: facts.name,
      });
      return undefined;
    }
    const metric = new OwnMetric(facts);
    this.metrics.set(facts.name, metric);
    return metric;
  }

  /** Logs each text once, to avoid flooding the log. */
  private warn(message: string, fields: Record<string, unknown>): void {
    if (this.loggedWarnings.has(message)) return;
    this.loggedWarnings.add(message);
    this.log.warn(message, fields);
  }
}
