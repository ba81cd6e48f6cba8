import type { MetricsReport } from "./protocol/messages.js";

/** A call of a service method by another plugin. */
export interface MeasuredServiceCall {
  /** Name of the plugin that asked. */
  caller: string;
  /** That answered. */
  plugin: { name: string; version: string };
  service: string;
  method: string;
  hasFailed: boolean;
  seconds: number;
}

/** Hears of what plugins do that is counted; must not throw. */
export interface PluginMeasures {
  serviceCalled(call: MeasuredServiceCall): void;
  /** What an instance says of the metrics that its plugin made itself. */
  reported(plugin: { name: string; version: string }, report: MetricsReport): void;
}
