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
import { AskedMetrics, askedOnce } from "./asked-metrics.js";
import { JobMetrics, type JobNumbers, showJobs } from "./job-metrics.js";
import { type EngineNumbers, type StoreNumbers, showEngine, showLoad, showStores } from "./load-metrics.js";
import { OwnMetrics } from "./own-metrics.js";
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

/** The parts of the host that are asked for numbers at each scrape. */
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
/** Milliseconds between looks at the event loop, which are part of what is shown. */
const eventLoopMonitoringPrecision = 20;

/** Made before the parts of the host, which tell it what they do; `show` adds what it asks them. */
export class HostMetrics {
  private readonly registry = new Registry();
  private readonly requests = new RequestMetrics(this.registry);
  private readonly hostRequests = new HostRequestMetrics(this.registry);
  private readonly plugins = new PluginMetrics(this.registry);
  private readonly asked: AskedMetrics;
  private readonly own: OwnMetrics;
  private readonly versions: PluginVersions;
  private present: () => readonly { plugin: string; version: string }[] = () => [];
  private showsProcess = false;
  private timer: NodeJS.Timeout | undefined;
  private endFollowing: () => void = () => undefined;

  /** Hears of jobs. */
  readonly jobs: JobMeasures = new JobMetrics(this.registry);
  /** Hears of reports. */
  readonly reports = new ReportMetrics(this.registry);
  readonly mediaType = this.registry.contentType;

  constructor(configuration: MetricsConfiguration, log: Log) {
    this.asked = new AskedMetrics(this.registry, log);
    this.own = new OwnMetrics(log);
    const numbers = [this.requests, this.plugins, this.own];
    this.versions = new PluginVersions(configuration, numbers);
  }

  /** Hears of requests. */
  readonly observe: RequestObserver = (request) => {
    const { target } = request;
    if (target === undefined) {
      this.hostRequests.observe(request);
      return;
    }
    this.versions.note(target);
    this.requests.observe(request, target);
  };

  /** Hears of what plugins do. */
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

  /** Adds what the parts of the host know themselves; once. */
  show({ plugins, events, templates, stores, jobs, engine, parts, wanted }: MetricSources): void {
    const { asked } = this;
    this.present = () =>
      plugins
        .states()
        .flatMap(({ name, version, stage }) =>
          name === undefined || version === undefined || !plugins.presentStages.includes(stage)
            ? []
            : [{ plugin: name, version }],
        );
    this.endFollowing = events.followOwn((event) => this.plugins.noteEvent(event));
    showPlugins(asked, plugins);
    showLoad(asked, stores.status);
    showBrowser(asked, stores.status);
    showTemplates(asked, templates);
    showStores(asked, stores);
    showJobs(asked, jobs);
    if (engine !== undefined) showEngine(asked, engine, stores.status);
    showHealth(asked, parts, wanted);
    showBuild(asked);
    this.timer = setInterval(() => void this.sweep(), sweepInterval).unref();
  }

  /** All metrics as they are now; scrapes at the same time share one answer. */
  readonly scrape = askedOnce(async (): Promise<string> => {
    await this.showProcess();
    await this.sweep();
    // An event loop that was not measured since the last scrape has no mean, which the library spells in its own way.
    const own = (await this.registry.metrics()).replaceAll(/ Nan$/gm, " NaN");
    return `${own}${this.own.text()}`;
  });

  stop(): void {
    clearInterval(this.timer);
    this.endFollowing();
  }

  /**
   * Shows the process of the host: memory, CPU, handles, delays of its event loop, under the names that are usual for Node.
   * Not before somebody asks: the library then looks at the event loop fifty times a second.
   */
  private async showProcess(): Promise<void> {
    if (this.showsProcess) return;
    this.showsProcess = true;
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision });
    // Without a look, the least delay would be the largest number.
    await pause(3 * eventLoopMonitoringPrecision);
  }

  private async sweep(): Promise<void> {
    await this.versions.sweep(this.present(), performance.now());
  }
}

/** Shows what `/readyz` says, in numbers. */
function showHealth(
  asked: AskedMetrics,
  parts: () => Promise<Record<string, PartHealth>>,
  wanted: () => readonly WantedPluginHealth[],
): void {
  const entries = askedOnce(async () => Object.entries(await parts()));
  asked.gauge({
    name: "slipway_part_ready",
    help: "1 for each part of the host that can serve, 0 for one that keeps the host from being ready.",
    labels: ["part"],
    ask: async () =>
      (await entries()).map(([part, { ready }]) => ({ labels: { part }, value: ready ? 1 : 0 })),
  });
  asked.gauge({
    name: "slipway_part_problems",
    help: "How much is wrong with a part without keeping it from serving; /readyz says what.",
    labels: ["part"],
    ask: async () =>
      (await entries()).map(([part, { problems = [] }]) => ({ labels: { part }, value: problems.length })),
  });
  asked.gauge({
    name: "slipway_wanted_plugin_live",
    help: "Whether a version of a plugin that the configuration of a release names answers there: 1 or 0.",
    labels: ["release", "plugin"],
    ask: () =>
      wanted().map(({ release, plugin, isLive }) => ({ labels: { release, plugin }, value: isLive ? 1 : 0 })),
  });
}

function showBuild(asked: AskedMetrics): void {
  asked.gauge({
    name: "slipway_build_info",
    help: "1, with the versions of host, SDK and Node.",
    labels: ["version", "sdk", "node"],
    ask: () => [{ labels: { version: hostVersion, sdk: sdkVersion, node: process.versions.node }, value: 1 }],
  });
}
