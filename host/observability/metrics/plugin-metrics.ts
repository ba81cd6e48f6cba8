import type { MeasuredServiceCall } from "@slipway/sdk/runtime/host";
import type { Registry } from "prom-client";
import type { EventFacts } from "../events/plugin-event.js";
import { BoundedValues } from "./bounded-values.js";
import type { CollectedMetrics } from "./collected-metrics.js";
import { countedMetrics } from "./counted-metrics.js";
import { forgetSeries, keyOf, type VersionLabels, type VersionNumbers } from "./plugin-versions.js";

/** Plugins with separate event counters; limited, because names come from dropped folders. */
const mostPlugins = 200;
/** Per plugin version, which may declare a thousand. */
const mostMethods = 100;
/** The label value of a folder whose manifest cannot be read. */
const noPlugin = "none";

/** Plugin states at a scrape. */
export interface PluginNumbers {
  /** Versions that answer now, each once for every release. */
  serving(): readonly { release: string; plugin: string; version: string }[];
  states(): readonly { name?: string | undefined; version?: string | undefined; stage: string }[];
  /** Stages that a version can have. */
  stages: readonly string[];
  /** Stages of versions that serve, will serve, or finish what they began. */
  presentStages: readonly string[];
}

/** Counts events of plugins and calls of their services. */
export class PluginMetrics implements VersionNumbers {
  private readonly plugins = new BoundedValues(mostPlugins);
  private readonly methods = new BoundedValues(mostMethods);
  private readonly events;
  private readonly calls;
  private readonly callDurations;

  constructor(registry: Registry) {
    const { counter, histogram } = countedMetrics(registry);
    const events = (name: string, help: string) => counter(name, help, ["plugin"]);
    this.events = {
      switch: events("slipway_swaps_total", "Switches of a release to another version, or to none."),
      rollback: events(
        "slipway_rollbacks_total",
        "Rollbacks of a release to an earlier version, manual or automatic.",
      ),
      restart: events(
        "slipway_instance_restarts_total",
        "Instances that ended unexpectedly and were replaced.",
      ),
      failed: events("slipway_failed_starts_total", "Failed starts and restarts of versions."),
      rejected: events("slipway_rejections_total", "Contents of drop-in folders that were refused."),
      quarantined: events("slipway_quarantines_total", "Versions that served badly and were taken out."),
    };
    this.calls = counter(
      "slipway_service_calls_total",
      "Calls of a plugin's services by other plugins; outcome is done or failed.",
      ["caller", "plugin", "version", "service", "method", "outcome"],
    );
    this.callDurations = histogram(
      "slipway_service_call_duration_seconds",
      "Time that calls of services took.",
      ["plugin", "version", "service", "method"],
    );
  }

  /** Counts an event of a plugin. */
  noteEvent({ kind, plugin = noPlugin, to }: EventFacts): void {
    const labels = { plugin: this.plugins.of("", plugin) };
    // Starts every counter at 0, so that its first event counts as growth.
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

/** Shows serving plugins and versions by stage. */
export function showPlugins(collected: CollectedMetrics, plugins: PluginNumbers): void {
  collected.gauge(
    "slipway_live_plugins",
    "1 for each plugin that answers under a release, with its version.",
    () => plugins.serving().map((labels) => ({ labels, value: 1 })),
    ["release", "plugin", "version"],
  );
  collected.gauge(
    "slipway_versions",
    "Versions of plugins in folders or at work, by stage.",
    () => {
      const now = plugins.states();
      return plugins.stages.map((stage) => ({
        labels: { stage },
        value: now.filter((state) => state.stage === stage).length,
      }));
    },
    ["stage"],
  );
}
