import type { Log } from "@slipway/sdk";
import { type MetricReport, type MetricsReport, metricLimits, metricProblem } from "@slipway/sdk/runtime";
import { type ExposedFamily, exposed, MetricFamily } from "./metric-family.js";
import { keyOf, type VersionLabels, type VersionNumbers } from "./plugin-versions.js";

const prefix = "slipway_plugin_";

/** The metrics of one plugin version, by name. */
interface VersionMetrics extends VersionLabels {
  families: Map<string, MetricFamily>;
  samples: number;
  /** Logged warnings. */
  told: Set<string>;
}

/**
 * Metrics that plugins define. Their reports are valid by schema; limits are checked here again, because instances come and go,
 * and a plugin may bypass the SDK.
 */
export class PluginDefinedMetrics implements VersionNumbers {
  private readonly versions = new Map<string, VersionMetrics>();

  constructor(private readonly log: Log) {}

  /** Adds a report of an instance. */
  take({ name, version }: { name: string; version: string }, { metrics }: MetricsReport): void {
    const labels = { plugin: name, version };
    const key = keyOf(labels);
    const own = this.versions.get(key) ?? { ...labels, families: new Map(), samples: 0, told: new Set() };
    this.versions.set(key, own);
    for (const report of metrics) this.takeMetric(own, report);
  }

  forget(version: VersionLabels): void {
    this.versions.delete(keyOf(version));
  }

  /** As text. All versions share a family; one whose kind differs from that of another plugin is left out. */
  text(): string {
    const families = new Map<string, ExposedFamily>();
    for (const own of this.versions.values()) {
      for (const [name, family] of own.families) {
        const { kind, help } = family;
        const known = families.get(name) ?? { name: prefix + name, kind, help, samples: [] };
        families.set(name, known);
        if (known.kind === kind) known.samples.push(...family.samples(own));
        else this.warn(own, `The metric ${name} has another kind at another plugin; it is not shown.`);
      }
    }
    return [...families.values()].map(exposed).join("");
  }

  private takeMetric(own: VersionMetrics, report: MetricReport): void {
    const problem = metricProblem(report);
    if (problem !== undefined) {
      this.warn(own, `${report.name}: ${problem}`);
      return;
    }
    const known = own.families.get(report.name);
    if (known === undefined && own.families.size >= metricLimits.metrics) {
      this.warn(own, `A plugin may have ${metricLimits.metrics} metrics; the others are dropped.`);
      return;
    }
    // While a plugin is developed, its metrics change under one version.
    const family = known?.fits(report) ? known : new MetricFamily(report);
    if (known !== undefined && known !== family) own.samples -= known.size;
    own.families.set(report.name, family);
    const { added, isFull } = family.take(report, metricLimits.samples - own.samples);
    own.samples += added;
    if (isFull)
      this.warn(
        own,
        `The metrics of a plugin may have ${metricLimits.samples} samples; the others are dropped.`,
      );
  }

  /** Once for each version and text. */
  private warn(own: VersionMetrics, reason: string): void {
    if (own.told.has(reason) || own.told.size > metricLimits.metrics) return;
    own.told.add(reason);
    this.log.warn("Metrics of a plugin were dropped", { plugin: keyOf(own), reason });
  }
}
