import { durationBuckets } from "@slipway/sdk";
import type { MeasuredServiceCall } from "@slipway/sdk/runtime/host";
import { Counter, Histogram, type Registry } from "prom-client";
import type { EventFacts } from "../events/plugin-event.js";
import type { AskedMetrics } from "./asked-metrics.js";
import { BoundedValues } from "./bounded-values.js";
import { forgetSeries, keyOf, type VersionLabels, type VersionNumbers } from "./plugin-versions.js";

/** Plugins with separate event counters; limited, because names come from dropped folders. */
const mostPlugins = 200;
/** Of one plugin version; it declares them, and there may be a thousand. */
const mostMethods = 100;
/** Stands for a place whose manifest cannot be read. */
const noPlugin = "none";

/** What is asked of the plugins at each scrape. */
export interface PluginNumbers {
  /** Versions that answer now, each once for every release. */
  serving(): readonly { release: string; plugin: string; version: string }[];
  states(): readonly { name?: string | undefined; version?: string | undefined; stage: string }[];
  /** Stages that a version can have. */
  stages: readonly string[];
  /** Stages of versions that serve, will serve, or finish what they began. */
  presentStages: readonly string[];
}

/** Counts what happens to plugins, and what they do for each other. */
export class PluginMetrics implements VersionNumbers {
  private readonly plugins = new BoundedValues(mostPlugins);
  private readonly methods = new BoundedValues(mostMethods);
  private readonly events;
  private readonly calls;
  private readonly callDurations;

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string) =>
      new Counter({ name, help, labelNames: ["plugin"], registers });
    this.events = {
      switch: counter("slipway_swaps_total", "Switches of a release to another version, or to none."),
      rollback: counter(
        "slipway_rollbacks_total",
        "Rollbacks of a release to an earlier version, manual or automatic.",
      ),
      restart: counter(
        "slipway_instance_restarts_total",
        "Instances that ended unexpectedly and were replaced.",
      ),
      failed: counter("slipway_failed_starts_total", "Failed starts and restarts of versions."),
      rejected: counter("slipway_rejections_total", "Contents of drop-in folders that were refused."),
      quarantined: counter("slipway_quarantines_total", "Versions that served badly and were taken out."),
    };
    this.calls = new Counter({
      name: "slipway_service_calls_total",
      help: "Calls of a plugin's services by other plugins; outcome is done or failed.",
      labelNames: ["caller", "plugin", "version", "service", "method", "outcome"],
      registers,
    });
    this.callDurations = new Histogram({
      name: "slipway_service_call_duration_seconds",
      help: "Time that calls of services took.",
      labelNames: ["plugin", "version", "service", "method"],
      buckets: [...durationBuckets],
      registers,
    });
  }

  /** Takes an event of the plugins' life. */
  noteEvent({ kind, plugin = noPlugin, to }: EventFacts): void {
    const labels = { plugin: this.plugins.of("", plugin) };
    // What has never happened is 0, or its first time would be no growth.
    for (const counter of Object.values(this.events)) counter.inc(labels, 0);
    if (kind === "switch" || kind === "rollback" || kind === "restart") this.events[kind].inc(labels);
    else if (kind === "stage" && (to === "failed" || to === "rejected" || to === "quarantined"))
      this.events[to].inc(labels);
  }

  noteServiceCall(call: MeasuredServiceCall): void {
    const { name, version } = call.plugin;
    const own = { plugin: name, version };
    const caller = this.plugins.of("", call.caller);
    const { service } = call;
    const method = this.methods.of(keyOf(own), `${service}.${call.method}`);
    const labels = { ...own, service, method: method === `${service}.${call.method}` ? call.method : method };
    this.calls.inc({ ...labels, caller, outcome: call.hasFailed ? "failed" : "done" });
    this.callDurations.observe(labels, call.seconds);
  }

  async forget(version: VersionLabels): Promise<void> {
    this.methods.forget(keyOf(version));
    for (const metric of [this.calls, this.callDurations]) await forgetSeries(metric, version);
  }
}

/** Shows which plugins there are. */
export function showPlugins(asked: AskedMetrics, plugins: PluginNumbers): void {
  asked.gauge({
    name: "slipway_live_plugins",
    help: "1 for each plugin that answers under a release, with its version.",
    labels: ["release", "plugin", "version"],
    ask: () => plugins.serving().map((labels) => ({ labels, value: 1 })),
  });
  asked.gauge({
    name: "slipway_versions",
    help: "Versions of plugins in folders or at work, by stage.",
    labels: ["stage"],
    ask: () => {
      const now = plugins.states();
      return plugins.stages.map((stage) => ({
        labels: { stage },
        value: now.filter((state) => state.stage === stage).length,
      }));
    },
  });
}
