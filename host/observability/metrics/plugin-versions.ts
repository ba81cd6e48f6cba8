import type { Counter, Histogram } from "prom-client";
import type { MetricsConfiguration } from "../../configuration/observability-configuration.js";

/** A version of a plugin. */
export interface VersionLabels {
  plugin: string;
  version: string;
}

/** Metrics by plugin version. */
export interface VersionNumbers {
  /** Removes the numbers of a version. */
  forget(version: VersionLabels): Promise<void> | void;
}

/** Versions with numbers, and since when they are removed. */
export class PluginVersions {
  private readonly versions = new Map<string, VersionLabels & { goneSince: number | undefined }>();

  constructor(
    private readonly configuration: Pick<MetricsConfiguration, "retention">,
    private readonly numbers: readonly VersionNumbers[],
  ) {}

  /** A version that has numbers. */
  note({ plugin, version }: VersionLabels): void {
    const key = keyOf({ plugin, version });
    if (!this.versions.has(key)) this.versions.set(key, { plugin, version, goneSince: undefined });
  }

  /** Removes the numbers of versions that are gone long enough. `present`: existing versions. `now`: milliseconds, monotonic. */
  async sweep(present: readonly VersionLabels[], now: number): Promise<void> {
    const there = new Set(present.map(keyOf));
    for (const [key, version] of this.versions) {
      if (there.has(key)) version.goneSince = undefined;
      else version.goneSince ??= now;
      if (version.goneSince === undefined || now - version.goneSince < this.configuration.retention) continue;
      this.versions.delete(key);
      for (const each of this.numbers) await each.forget(version);
    }
  }
}

/** Names of plugins have no "@". */
export function keyOf({ plugin, version }: VersionLabels): string {
  return `${plugin}@${version}`;
}

/** Removes a version's series of a metric that has the labels `plugin` and `version`. */
export async function forgetSeries(
  metric: Counter | Histogram,
  { plugin, version }: VersionLabels,
): Promise<void> {
  for (const { labels } of (await metric.get()).values) {
    if (labels["plugin"] !== plugin || labels["version"] !== version) continue;
    const { le: _, ...own } = labels;
    metric.remove(own);
  }
}
