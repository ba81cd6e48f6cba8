import { type Check, describe, Validator } from "../../validation.js";
import { metricProblem } from "../messages/message.js";
import { MetricReport, metricLimits } from "../messages/metric-report.js";

/** What a plugin says of a metric when it makes it; only a histogram has buckets. */
export interface MetricFacts {
  kind: "counter" | "gauge" | "histogram";
  name: string;
  help: string;
  labels: string[];
  buckets: number[];
}

/** What was noted for one set of labels since it was taken. */
interface Gathered {
  labels: string[];
  value: number;
  /** How many values fell into each bucket and above the last one. */
  counts: number[];
}

/** Made for the first metric; most plugins have none, and their start waits for no schema. */
let check: Check<MetricReport> | undefined;

/** Throws a `TypeError` for what a monitoring system would not understand. */
export function checkMetric(facts: MetricFacts): void {
  const report = reportOf(facts, []);
  check ??= new Validator().compile(MetricReport, "metric");
  const result = check(report);
  const problem = result.ok ? metricProblem(report) : result.violations.map(describe).join("; ");
  if (problem !== undefined) throw new TypeError(`host.metrics.${facts.kind}: ${problem}`);
}

/** One metric of a plugin, and what was noted of it. */
export class OwnMetric {
  /** Sets of labels that there ever were. */
  private readonly known = new Set<string>();
  private readonly gathered = new Map<string, Gathered>();

  constructor(private readonly facts: MetricFacts) {}

  isOf({ kind, labels, buckets }: MetricFacts): boolean {
    const own = this.facts;
    return own.kind === kind && own.labels.join() === labels.join() && own.buckets.join() === buckets.join();
  }

  /** Takes a value. Says how many samples are new by it, of which there may be `room`; or a sentence that says what is wrong. */
  note(value: unknown, labels: unknown, room: number): number | string {
    const { kind, buckets } = this.facts;
    if (typeof value !== "number" || !Number.isFinite(value) || (kind === "counter" && value < 0))
      return "A value of a metric is no number that fits, and is dropped.";
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

  /** What was noted since the last time; undefined when that is nothing. */
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
