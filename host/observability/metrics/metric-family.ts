/**
 * Sums of the reports of instances. `prom-client` cannot keep them: its histograms take no bucket counts, and its aggregation
 * mixes up two series whose labels (chosen by plugins) contain ":" and ",".
 */
import type { MetricReport } from "@slipway/sdk/runtime";
import type { VersionLabels } from "./plugin-versions.js";

/** UTF-8 cannot encode them: all would become the same character. */
const loneSurrogates = /\p{Surrogate}/gu;

/** The sums for one set of labels. */
interface Series {
  labels: string[];
  /** For histograms, the sum. */
  value: number;
  /** Number of values in each bucket and above the last one. */
  counts: number[];
}

/** One metric of a plugin version, with the sums of all reports. */
export class MetricFamily {
  readonly kind: MetricReport["kind"];
  readonly help: string;
  private readonly labels: readonly string[];
  private readonly buckets: readonly number[];
  private readonly series = new Map<string, Series>();

  constructor(report: MetricReport) {
    this.kind = report.kind;
    this.help = report.help;
    this.labels = report.labels;
    this.buckets = bucketsOf(report);
  }

  /** Whether a report has the same kind and buckets. */
  fits(report: MetricReport): boolean {
    return (
      report.kind === this.kind &&
      report.labels.join() === this.labels.join() &&
      bucketsOf(report).join() === this.buckets.join()
    );
  }

  /** Adds a matching report. Returns the number of new samples (at most `room`), and whether some exceeded that. */
  take(report: MetricReport, room: number): { added: number; isFull: boolean } {
    let added = 0;
    let isFull = false;
    for (const reported of report.series) {
      const labels = reported.labels.map((text) => text.replace(loneSurrogates, "\ufffd"));
      const counts = "counts" in reported ? reported.counts : [];
      if (labels.length !== this.labels.length || counts.length !== this.countsPerSeries) continue;
      const key = JSON.stringify(labels);
      const known = this.series.get(key);
      if (known === undefined && added + this.samplesPerSeries > room) {
        isFull = true;
        continue;
      }
      if (known === undefined) added += this.samplesPerSeries;
      const series = known ?? { labels, value: 0, counts: counts.map(() => 0) };
      this.series.set(key, series);
      this.add(series, "value" in reported ? reported.value : reported.sum, counts);
    }
    return { added, isFull };
  }

  /** Samples of all its series. */
  get size(): number {
    return this.series.size * this.samplesPerSeries;
  }

  samples(own: VersionLabels): ExposedSample[] {
    return [...this.series.values()].flatMap(({ labels, value, counts }) => {
      const named = this.labels.map((name, index): [string, string] => [name, labels[index] ?? ""]);
      const all: [string, string][] = [["plugin", own.plugin], ["version", own.version], ...named];
      return this.kind === "histogram"
        ? this.histogram(all, value, counts)
        : [{ suffix: "", labels: all, value }];
    });
  }

  private get countsPerSeries(): number {
    return this.kind === "histogram" ? this.buckets.length + 1 : 0;
  }

  private get samplesPerSeries(): number {
    return this.kind === "histogram" ? this.buckets.length + 3 : 1;
  }

  private add(series: Series, value: number, counts: readonly number[]): void {
    // A counter never decreases.
    if (this.kind === "counter" && value < 0) return;
    series.value = this.kind === "gauge" ? value : series.value + value;
    for (const [index, count] of counts.entries()) series.counts[index] = (series.counts[index] ?? 0) + count;
  }

  private histogram(labels: [string, string][], sum: number, counts: readonly number[]): ExposedSample[] {
    let count = 0;
    const samples = counts.map((inBucket, index): ExposedSample => {
      count += inBucket;
      const bound = this.buckets[index];
      const le: [string, string] = ["le", bound === undefined ? "+Inf" : String(bound)];
      return { suffix: "_bucket", labels: [...labels, le], value: count };
    });
    return [...samples, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: count }];
  }
}

function bucketsOf(report: MetricReport): readonly number[] {
  return report.kind === "histogram" ? report.buckets : [];
}

// The text format of Prometheus, version 0.0.4.

export interface ExposedSample {
  /** Behind the name of the family, such as "_sum". */
  suffix: string;
  labels: readonly (readonly [name: string, value: string])[];
  value: number;
}

/** A metric with all its samples. */
export interface ExposedFamily {
  name: string;
  kind: "counter" | "gauge" | "histogram";
  help: string;
  samples: ExposedSample[];
}

/** A family with all its lines. */
export function exposed({ name, kind, help, samples }: ExposedFamily): string {
  const lines = samples.map(({ suffix, labels, value }) => {
    const shown = labels.map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
    return `${name}${suffix}{${shown.join(",")}} ${shownNumber(value)}`;
  });
  return `${[`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${kind}`, ...lines].join("\n")}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** A sum may have become infinite. */
function shownNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}
