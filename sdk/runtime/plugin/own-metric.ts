import { sdkCheck } from "../../schema/validation.js";
import { describe } from "../../schema/violation.js";
import { metricProblem } from "../messages/message.js";
import { type MetricReport, metricLimits } from "../messages/metric-report.js";

/** The definition of a metric; only a histogram has buckets. */
export interface MetricFacts {
  kind: "counter" | "gauge" | "histogram";
  name: string;
  help: string;
  labels: string[];
  buckets: number[];
}

/** Values collected for one set of labels since the last report. */
interface Gathered {
  labels: string[];
  value: number;
  /** The number of values in each bucket and above the last one. */
  counts: number[];
}

const check = sdkCheck<typeof MetricReport>("metric", "metric");

/** @throws TypeError if a monitoring system would reject the metric. */
export function checkMetric(facts: MetricFacts): void {
  const report = reportOf(facts, []);
  const result = check(report);
  const problem = result.ok ? metricProblem(report) : result.violations.map(describe).join("; ");
  if (problem !== undefined) throw new TypeError(`host.metrics.${facts.kind}: ${problem}`);
}

/** One metric of a plugin and its collected values. */
export class OwnMetric {
  /** All sets of labels ever used. */
  private readonly known = new Set<string>();
  private readonly gathered = new Map<string, Gathered>();

  constructor(private readonly facts: MetricFacts) {}

  isOf({ kind, labels, buckets }: MetricFacts): boolean {
    const own = this.facts;
    return own.kind === kind && own.labels.join() === labels.join() && own.buckets.join() === buckets.join();
  }

  /**
   * Records a value. Returns the number of new samples, at most `room`, or a sentence that describes the
   * problem.
   */
  note(value: unknown, labels: unknown, room: number): number | string {
    const { kind, buckets } = this.facts;
    if (typeof value !== "number" || !Number.isFinite(value) || (kind === "counter" && value < 0))
      return "An invalid value of a metric is dropped.";
    const values = this.labelValues(labels);
    if (values === undefined) return "A value of a metric lacks labels, and is dropped.";
    const key = JSON.stringify(values);
    const isNew = !this.known.has(key);
    const samples = kind === "histogram" ? buckets.length + 3 : 1;
    if (isNew && samples > room)
      return `The metrics of a plugin may have ${metricLimits.samples} samples; the others are dropped.`;
    this.known.add(key);
    this.gather(key, values, value);
    return isNew ? samples : 0;
  }

  /** Takes the values collected since the last call, if any. */
  take(): MetricReport | undefined {
    if (this.gathered.size === 0) return undefined;
    const report = reportOf(this.facts, [...this.gathered.values()]);
    this.gathered.clear();
    return report;
  }

  private gather(key: string, labels: string[], value: number): void {
    const { kind, buckets } = this.facts;
    const before = this.gathered.get(key);
    const gathered = before ?? { labels, value: 0, counts: kind === "histogram" ? zeros(buckets) : [] };
    if (before === undefined) this.gathered.set(key, gathered);
    gathered.value = kind === "gauge" ? value : gathered.value + value;
    if (kind !== "histogram") return;
    const bucket = buckets.findIndex((bound) => value <= bound);
    const index = bucket === -1 ? buckets.length : bucket;
    gathered.counts[index] = (gathered.counts[index] ?? 0) + 1;
  }

  private labelValues(given: unknown): string[] | undefined {
    const { labels } = this.facts;
    if (labels.length === 0) return [];
    if (typeof given !== "object" || given === null) return undefined;
    const values = labels.map((label): unknown => Reflect.get(given, label));
    if (values.some((value) => value === undefined)) return undefined;
    return values.map((value) => String(value).slice(0, metricLimits.labelLength));
  }
}

function zeros(buckets: readonly number[]): number[] {
  return Array.from({ length: buckets.length + 1 }, () => 0);
}

function reportOf({ kind, name, help, labels, buckets }: MetricFacts, series: Gathered[]): MetricReport {
  if (kind !== "histogram")
    return { kind, name, help, labels, series: series.map(({ labels, value }) => ({ labels, value })) };
  const sums = series.map(({ labels, value, counts }) => ({ labels, counts, sum: value }));
  return { kind, name, help, labels, buckets, series: sums };
}
