import type { MetricReport, MetricsReport } from "../../runtime/messages/metric-report.js";
import type { TestMetrics, TestSample } from "../test-host.js";

/** Adds up what plugins tell of their metrics. */
export class CollectedMetrics implements TestMetrics {
  private readonly known = new Map<string, TestSample>();

  /** `label` is name and version of the tested plugin; `flush` has all plugins tell what they gathered. */
  constructor(
    private readonly label: string,
    private readonly flush: () => void,
  ) {}

  get samples(): readonly TestSample[] {
    this.flush();
    return [...this.known]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, sample]) => ({ ...sample }));
  }

  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    this.flush();
    return this.known.get(keyOf(this.label, name, labels))?.value;
  }

  /** Takes what one plugin tells. */
  take(plugin: string, { metrics }: MetricsReport): void {
    for (const report of metrics) for (const sample of samplesOf(plugin, report)) this.add(sample);
  }

  private add(sample: TestSample): void {
    const key = keyOf(sample.plugin, sample.name, sample.labels);
    const before = sample.kind === "gauge" ? undefined : this.known.get(key);
    const count = (before?.count ?? 0) + (sample.count ?? 0);
    this.known.set(key, {
      ...sample,
      value: (before?.value ?? 0) + sample.value,
      ...(sample.count !== undefined && { count }),
    });
  }
}

function samplesOf(plugin: string, report: MetricReport): TestSample[] {
  const { kind, name } = report;
  const named = (values: readonly string[]): Record<string, string> =>
    Object.fromEntries(report.labels.map((label, index) => [label, values[index] ?? ""]));
  if (report.kind !== "histogram")
    return report.series.map(({ labels, value }) => ({ plugin, kind, name, labels: named(labels), value }));
  return report.series.map(({ labels, counts, sum }) => {
    const count = counts.reduce((total, each) => total + each, 0);
    return { plugin, kind, name, labels: named(labels), value: sum, count };
  });
}

function keyOf(plugin: string, name: string, labels: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([plugin, name, sorted]);
}
