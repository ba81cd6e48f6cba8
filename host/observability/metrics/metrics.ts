/** The metrics of the host, in the text format of Prometheus. */
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "@slipway/sdk";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { MetricsConfiguration } from "../../configuration/observability-configuration.js";
import { hostVersion, sdkVersion } from "../../system/installation.js";
import type { EventLog } from "../events/plugin-event.js";
import type { PartHealth } from "../health.js";
import type { JobMeasures, PluginMeasures } from "../measures.js";
import type { RequestObserver } from "../requests/finished-requests.js";
import { CollectedMetrics, singleFlight } from "./collected-metrics.js";
import { JobMetrics, type JobNumbers, showJobs } from "./job-metrics.js";
import { type EngineNumbers, type StoreNumbers, showEngine, showLoad, showStores } from "./load-metrics.js";
import { PluginDefinedMetrics } from "./plugin-defined-metrics.js";
import { PluginMetrics, type PluginNumbers, showPlugins } from "./plugin-metrics.js";
import { PluginVersions } from "./plugin-versions.js";
import { ReportMetrics, showBrowser, showTemplates, type TemplateNumbers } from "./report-metrics.js";
import { HostRequestMetrics, RequestMetrics } from "./request-metrics.js";

/** A plugin that the configuration of a release names, and whether a version of it answers there. */
interface WantedPluginHealth {
  release: string;
  plugin: string;
  isLive: boolean;
}

/** The parts of the host that provide numbers at each scrape. */
export interface MetricSources {
  plugins: PluginNumbers;
  events: Pick<EventLog, "followOwn">;
  templates: TemplateNumbers;
  stores: StoreNumbers;
  jobs(): Promise<JobNumbers>;
  /** Undefined for an engine of one host. */
  engine: EngineNumbers | undefined;
  parts(): Promise<Record<string, PartHealth>>;
  wanted(): readonly WantedPluginHealth[];
}

/** Milliseconds between checks for removed versions, for hosts that are not scraped. */
const sweepInterval = 60_000;
/** Milliseconds between samples of the event loop, which the shown values include. */
const eventLoopMonitoringPrecision = 20;

/** Created before the parts of the host, which report their work to it; `show` adds numbers that the parts keep. */
export class HostMetrics {
  private readonly registry = new Registry();
  private readonly requests = new RequestMetrics(this.registry);
  private readonly hostRequests = new HostRequestMetrics(this.registry);
  private readonly plugins = new PluginMetrics(this.registry);
  private readonly collected: CollectedMetrics;
  private readonly own: PluginDefinedMetrics;
  private readonly versions: PluginVersions;
  private present: () => readonly { plugin: string; version: string }[] = () => [];
  private showsProcess = false;
  private timer: NodeJS.Timeout | undefined;
  private endFollowing: () => void = () => undefined;

  /** Receives events of jobs. */
  readonly jobs: JobMeasures = new JobMetrics(this.registry);
  /** Receives events of reports. */
  readonly reports = new ReportMetrics(this.registry);
  readonly mediaType = this.registry.contentType;

  constructor(configuration: MetricsConfiguration, log: Log) {
    this.collected = new CollectedMetrics(this.registry, log);
    this.own = new PluginDefinedMetrics(log);
    const numbers = [this.requests, this.plugins, this.own];
    this.versions = new PluginVersions(configuration, numbers);
  }

  /** Receives finished requests. */
  readonly observe: RequestObserver = (request) => {
    const { target } = request;
    if (target === undefined) {
      this.hostRequests.observe(request);
      return;
    }
    this.versions.note(target);
    this.requests.observe(request, target);
  };

  /** Receives service calls and metrics of plugins. */
  readonly measures: PluginMeasures = {
    serviceCalled: (call) => {
      this.versions.note({ plugin: call.plugin.name, version: call.plugin.version });
      this.plugins.noteServiceCall(call);
    },
    reported: (plugin, report) => {
      this.versions.note({ plugin: plugin.name, version: plugin.version });
      this.own.take(plugin, report);
    },
  };

  /** Adds the metrics whose numbers the parts of the host keep; called once. */
  show({ plugins, events, templates, stores, jobs, engine, parts, wanted }: MetricSources): void {
    const { collected } = this;
    this.present = () =>
      plugins
        .states()
        .flatMap(({ name, version, stage }) =>
          name === undefined || version === undefined || !plugins.presentStages.includes(stage)
            ? []
            : [{ plugin: name, version }],
        );
    this.endFollowing = events.followOwn((event) => this.plugins.noteEvent(event));
    showPlugins(collected, plugins);
    showLoad(collected, stores.status);
    showBrowser(collected, stores.status);
    showTemplates(collected, templates);
    showStores(collected, stores);
    showJobs(collected, jobs);
    if (engine !== undefined) showEngine(collected, engine, stores.status);
    showHealth(collected, parts, wanted);
    showBuild(collected);
    this.timer = setInterval(() => void this.sweep(), sweepInterval).unref();
  }

  /** All metrics as they are now; scrapes at the same time share one answer. */
  readonly scrape = singleFlight(async (): Promise<string> => {
    await this.showProcess();
    await this.sweep();
    // Without samples since the last scrape, the library writes the mean in another spelling.
    const own = (await this.registry.metrics()).replaceAll(/ Nan$/gm, " NaN");
    return `${own}${this.own.text()}`;
  });

  stop(): void {
    clearInterval(this.timer);
    this.endFollowing();
  }

  /**
   * Shows the process of the host: memory, CPU, handles, delays of its event loop, under the names that are usual for Node.
   * Only after the first scrape, because the library then samples the event loop fifty times a second.
   */
  private async showProcess(): Promise<void> {
    if (this.showsProcess) return;
    this.showsProcess = true;
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision });
    // Without a sample, the minimum would be the largest number.
    await pause(3 * eventLoopMonitoringPrecision);
  }

  private async sweep(): Promise<void> {
    await this.versions.sweep(this.present(), performance.now());
  }
}

/** Shows the health of `/readyz`. */
function showHealth(
  collected: CollectedMetrics,
  parts: () => Promise<Record<string, PartHealth>>,
  wanted: () => readonly WantedPluginHealth[],
): void {
  const entries = singleFlight(async () => Object.entries(await parts()));
  collected.gauge(
    "slipway_part_ready",
    "1 for each part of the host that can serve, 0 for one that keeps the host from being ready.",
    async () => (await entries()).map(([part, { ready }]) => ({ labels: { part }, value: ready ? 1 : 0 })),
    ["part"],
  );
  collected.gauge(
    "slipway_part_problems",
    "How much is wrong with a part without keeping it from serving; /readyz says what.",
    async () =>
      (await entries()).map(([part, { problems = [] }]) => ({ labels: { part }, value: problems.length })),
    ["part"],
  );
  collected.gauge(
    "slipway_wanted_plugin_live",
    "Whether a version of a plugin that the configuration of a release names answers there: 1 or 0.",
    () =>
      wanted().map(({ release, plugin, isLive }) => ({ labels: { release, plugin }, value: isLive ? 1 : 0 })),
    ["release", "plugin"],
  );
}

function showBuild(collected: CollectedMetrics): void {
  collected.gauge(
    "slipway_build_info",
    "1, with the versions of host, SDK and Node.",
    () => [{ labels: { version: hostVersion, sdk: sdkVersion, node: process.versions.node }, value: 1 }],
    ["version", "sdk", "node"],
  );
}
