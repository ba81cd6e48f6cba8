import { type Check, Validator } from "@slipway/sdk";
import { MetricsReport } from "@slipway/sdk/runtime";
import type { PluginMeasures } from "../../observability/measures.js";

const checkReport: Check<MetricsReport> = new Validator({ lazy: true }).compile(MetricsReport, "metrics");

/** Twice of what an instance sends by itself. */
const reportsPerSecond = 2;

/** Takes what an instance says of its plugin's metrics. One that says it without end costs the host nothing. */
export class InstanceMetrics {
  private readonly plugin: { name: string; version: string };
  private second = 0;
  private reports = 0;

  constructor(
    { name, version }: { name: string; version: string },
    private readonly measures: PluginMeasures | undefined,
  ) {
    this.plugin = { name, version };
  }

  /** A report that came over the channel. */
  take(values: unknown): void {
    if (this.measures === undefined || !this.isAllowed()) return;
    const result = checkReport(values);
    if (result.ok) this.measures.reported(this.plugin, result.value);
  }

  private isAllowed(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.second) this.reports = 0;
    this.second = second;
    this.reports += 1;
    return this.reports <= reportsPerSecond;
  }
}
