import type { MetricsReport } from "@slipway/sdk/runtime";
import type { ServiceMeasures } from "@slipway/sdk/runtime/host";

/** Hears of what plugins do that is counted; must not throw. */
export interface PluginMeasures extends ServiceMeasures {
  /** What an instance says of the metrics that its plugin made itself. */
  reported(plugin: { name: string; version: string }, report: MetricsReport): void;
}
