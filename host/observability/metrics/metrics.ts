/** The metrics of the host, in the text format of Prometheus. */
import type { Log } from "@slipway/sdk";
import { Registry } from "prom-client";
import type { MetricsConfiguration } from "../../configuration/metrics-configuration.js";
import type { EventLog } from "../events/plugin-event.js";
import type { PluginMeasures } from "../measures.js";
import type { PartHealth } from "../part-health.js";
import type { RequestObserver } from "../requests/request-observer.js";
import { AskedMetrics, askedOnce } from "./asked-metrics.js";
import { showHealth, type WantedPluginHealth } from "./health-metrics.js";
import { HostRequestMetrics } from "./host-request-metrics.js";
import { showLoad } from "./load-metrics.js";
import { OwnMetrics } from "./own-metrics.js";
import { PluginMetrics, type PluginNumbers, showPlugins } from "./plugin-metrics.js";
import { PluginVersions } from "./plugin-versions.js";
import { showProcess } from "./process-metrics.js";
import { ReportMetrics, showBrowser, showTemplates, type TemplateNumbers } from "./report-metrics.js";
import { RequestMetrics } from "./request-metrics.js";
import { type StoreNumbers, showStores } from "./store-metrics.js";

/** The parts of the host that are asked for numbers at each scrape. */
export interface MetricSources {
  plugins: PluginNumbers;
  events: Pick<EventLog, "follow">;
  templates: TemplateNumbers;
  stores: StoreNumbers;
  parts(): Promise<Record<string, PartHealth>>;
  wanted(): readonly WantedPluginHealth[];
}

/** Milliseconds between looks for versions that are gone, where nobody scrapes. */
const sweepInterval = 60_000;

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
  private timer: NodeJS.Timeout | undefined;
  private endFollowing: () => void = () => undefined;

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
  show({ plugins, events, templates, stores, parts, wanted }: MetricSources): void {
    const { asked } = this;
    this.present = () =>
      plugins
        .states()
        .flatMap(({ name, version, stage }) =>
          name === undefined || version === undefined || !plugins.presentStages.includes(stage)
            ? []
            : [{ plugin: name, version }],
        );
    this.endFollowing = events.follow((event) => this.plugins.noteEvent(event));
    showPlugins(asked, plugins);
    showLoad(asked, stores.status);
    showBrowser(asked, stores.status);
    showTemplates(asked, templates);
    showStores(asked, stores);
    showHealth(asked, parts, wanted);
    showProcess(this.registry, asked);
    this.timer = setInterval(() => void this.sweep(), sweepInterval).unref();
  }

  /** All metrics as they are now; scrapes at the same time share one answer. */
  readonly scrape = askedOnce(async (): Promise<string> => {
    await this.sweep();
    // An event loop that was not measured since the last scrape has no mean, which the library spells in its own way.
    const own = (await this.registry.metrics()).replaceAll(/ Nan$/gm, " NaN");
    return `${own}${this.own.text()}`;
  });

  stop(): void {
    clearInterval(this.timer);
    this.endFollowing();
  }

  private async sweep(): Promise<void> {
    await this.versions.sweep(this.present(), performance.now());
  }
}
