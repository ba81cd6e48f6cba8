/** What plugins log and measure, collected. */

import type { Log } from "../../plugin/handler-context.js";
import type { Clock } from "../../runtime/host.js";
import type { LogLine, MetricReport, MetricsReport } from "../../runtime/index.js";
import { remoteLog } from "../../runtime/plugin/remote-session.js";
import type { TestLogLine, TestMetrics, TestSample } from "../test-host.js";

/** Whom a line is about. */
export type LogFacts = Pick<TestLogLine, "plugin" | "requestId">;

/** The lines of all plugins of a test host. */
export class CollectedLog {
  readonly lines: TestLogLine[] = [];

  constructor(private readonly clock: Clock) {}

  /** Adds a line as a plugin sends it. */
  add({ level, message, fields }: Omit<LogLine, "request">, facts: LogFacts): void {
    const parsed: Record<string, unknown> = JSON.parse(fields);
    this.lines.push({ time: new Date(this.clock.now()), level, message, fields: parsed, ...facts });
  }

  /** A log whose lines carry a context. */
  of(facts: LogFacts): Log {
    return remoteLog({ log: (line) => this.add(line, facts) });
  }
}

/** Aggregates the metrics that plugins report. */
export class CollectedMetrics implements TestMetrics {
  private readonly known = new Map<string, TestSample>();

  /** `label` is name and version of the tested plugin; `flush` makes all plugins report pending values. */
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

  /** Adds the report of one plugin. */
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
