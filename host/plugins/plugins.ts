/**
 * The plugins of a host: connects sources, snapshots, deployment, instances and routes. Everything below this folder is for
 * this file; the rest of the host uses the `PluginSupervisor`, its route table and the states.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import {
  createHostServices,
  type ServiceProviders,
  type SessionContents,
  trimmedEnd,
} from "@slipway/sdk/runtime/host";
import type { PluginGrants } from "../configuration/plugin-grants.js";
import { grantsOfKey, grantsOfName } from "../configuration/plugin-limits.js";
import type { PluginsConfiguration } from "../configuration/plugins-configuration.js";
import type { Journal } from "../observability/events/plugin-event.js";
import type { PluginMeasures } from "../observability/measures.js";
import type { Confinement } from "../system/confinement/confinement.js";
import type { PluginTemplates } from "../templates/templates.js";
import type {
  AgreementReport,
  PluginAdministration,
  PluginOverview,
  RollbackRequest,
  RolledBack,
  Upload,
} from "./administration/administration.js";
import {
  type ConfigurationRequest,
  type PluginConfiguration,
  PluginConfigurations,
  type Settings,
} from "./configuration/configuration.js";
import { Deployments, openStateFile, rolloutOf, type StateFile } from "./deployment/deployment.js";
import { FleetPlugins, type OutcomeStore, type PluginShelf, type SwitchStore } from "./fleet/fleet.js";
import { withSampleSession } from "./instances/instances.js";
import { joinedGrants } from "./permissions/permissions.js";
import type { PluginState } from "./plugin-state.js";
import type { Release } from "./releases.js";
import { PublishedTable, type RouteTable, workingVersions } from "./routes/routes.js";
import { PluginSchedules } from "./schedules/schedules.js";
import { type OpenSessions, PluginSessionHooks } from "./session-hooks/session-hooks.js";
import { type NeededSnapshots, Snapshots } from "./snapshots/snapshots.js";
import { PluginSources } from "./sources/sources.js";

interface SupervisorOptions extends ServiceProviders {
  sessions: SessionContents & OpenSessions;
  configuration: PluginsConfiguration;
  confinement: Confinement;
  releases: readonly Release[];
  /** The release for paths without one. */
  defaultRelease: string;
  folders: readonly string[];
  varDirectory: string;
  /** Origin and prefix of the host for its clients; for URLs of files that schedules and session hooks make. */
  publicUrl?: string | undefined;
  /** Settings of the host whose values are never shown. */
  concealed?: Settings;
  /** Folder of the package `@slipway/sdk` that plugins import. */
  sdkDirectory: string;
  journal: Journal;
  /** On a host that shares an engine with others. */
  fleet?: SharedPlugins | undefined;
  measures?: PluginMeasures | undefined;
  /** Takes the templates of the serving versions, after each switch. Resolves when they serve or are refused. */
  useTemplates?: (plugins: readonly PluginTemplates[]) => Promise<void>;
  log: Log;
}

/** Where hosts agree on their plugins. */
export interface SharedPlugins {
  switches: SwitchStore;
  outcomes: OutcomeStore;
  shelf: PluginShelf;
}

export interface PluginSupervisor extends PluginAdministration {
  /**
   * Starts the plugins that the releases ask for; a failed plugin does not affect the others. Bundles at once, but
   * starts nothing before `services` resolves, because plugins may call them during their start.
   */
  start(services?: Promise<void>): Promise<void>;
  /** The current route table; a request keeps the table that it began with. */
  table(): RouteTable;
  /** Replaces the releases. Resolves when each has the versions that it asks for. */
  useReleases(releases: readonly Release[], defaultRelease: string): Promise<void>;
  /** Starts no further run of a schedule; ends the running ones after some milliseconds. Resolves when they have ended. */
  drainSchedules(milliseconds: number): Promise<void>;
  /** Plugins that this host cannot serve as the hosts have agreed on. */
  readonly problems: readonly { plugin: string; reason: string }[];
  /** Receives events of sessions. */
  readonly sessionHooks: PluginSessionHooks;
  /** Ends every instance. */
  stop(): Promise<void>;
}

/** Bytes of a message besides the content of an answer. */
const messageOverhead = 64 * 1024;

/** Opens snapshots and state. Rejects when the snapshot folder is not writable. */
export async function createPluginSupervisor(options: SupervisorOptions): Promise<PluginSupervisor> {
  const { varDirectory, configuration, concealed, log } = options;
  const snapshots = await Snapshots.open(options);
  const file = await openStateFile(join(varDirectory, "plugins.json"), log);
  const folder = join(varDirectory, "plugin-configuration");
  const configurations = await PluginConfigurations.open(folder, configuration, log, concealed);
  return new Supervisor(options, snapshots, file, configurations);
}

class Supervisor implements PluginSupervisor {
  private releases: readonly Release[];
  private readonly sources: PluginSources;
  private readonly deployments: Deployments;
  private readonly published: PublishedTable;
  private readonly schedules: PluginSchedules;
  readonly sessionHooks: PluginSessionHooks;
  private readonly fleet: FleetPlugins | undefined;
  private templatesRead: Promise<void> | undefined;
  private ready = false;
  private stopped = false;
  private releasesTurn: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: SupervisorOptions,
    private readonly snapshots: Snapshots,
    private readonly file: StateFile,
    configurations: PluginConfigurations,
  ) {
    const { configuration, varDirectory, fleet, log } = options;
    this.releases = options.releases;
    this.sources = new PluginSources({
      ...options,
      stager: snapshots.staging,
      changed: () => void this.refresh(),
    });
    const answers = configuration.message * 1024 * 1024 - messageOverhead;
    const services = createHostServices(
      {
        ...options,
        sessions: withSampleSession(options.sessions),
        plugins: (release) => this.published.offering(release),
      },
      answers,
    );
    this.deployments = new Deployments({
      ...options,
      grantsOf: (plugin) => {
        const saved = rolloutOf(this.file.current, plugin.name).grants ?? {};
        const own = joinedGrants(grantsOfName(configuration, plugin), saved);
        return joinedGrants(own, grantsOfKey(configuration, plugin));
      },
      file,
      snapshots,
      configurations,
      services,
      publish: () => {
        this.published.publish();
        this.useTemplates();
        this.followTable();
      },
      fleet: () => this.fleet,
    });
    this.fleet =
      fleet &&
      new FleetPlugins({
        ...options,
        ...fleet,
        store: fleet.switches,
        deployments: this.deployments,
        snapshots,
        file,
        folder: join(varDirectory, "fleet"),
      });
    this.published = new PublishedTable(this.deployments, this.releases, options.defaultRelease, log);
    const background = { baseUrl: trimmedEnd(options.publicUrl ?? "http://localhost", "/"), log };
    this.schedules = new PluginSchedules({ folder: join(varDirectory, "plugin-schedules"), ...background });
    this.sessionHooks = new PluginSessionHooks({ sessions: options.sessions, ...background });
  }

  async start(services: Promise<void> = Promise.resolve()): Promise<void> {
    await this.snapshots.load(this.deployments.remembered);
    await Promise.all([this.sources.start().then(() => this.sources.waitForPendingSources()), services]);
    this.ready = true;
    await this.refresh();
    await this.fleet?.start();
    await this.templatesRead;
    this.published.complete();
  }

  table(): RouteTable {
    return this.published.table;
  }

  /** One change at a time: a second one would remove releases that the first is still starting. */
  useReleases(releases: readonly Release[], defaultRelease: string): Promise<void> {
    const taken = this.releasesTurn.then(() => this.takeReleases(releases, defaultRelease));
    this.releasesTurn = taken.catch(() => undefined);
    return taken;
  }

  private async takeReleases(releases: readonly Release[], defaultRelease: string): Promise<void> {
    const names = releases.map(({ name }) => name);
    // Leaving releases serve until the new ones do: paths without a release may move from one to the other.
    const leaving = this.releases.filter(({ name }) => !names.includes(name));
    this.releases = [...releases, ...leaving];
    await this.refresh(true);
    this.published.useReleases(releases, defaultRelease);
    this.releases = releases;
    this.useTemplates();
    this.followTable();
    await this.refresh();
  }

  get problems(): readonly { plugin: string; reason: string }[] {
    return this.fleet?.switches.problems ?? [];
  }

  states(): PluginState[] {
    const sources = this.sources.sources().map((source) => this.deployments.shown(source) ?? source.record);
    const running = this.deployments.running.map(({ record }) => record);
    return [...new Set([...sources, ...running])].map(({ current }) => {
      const { name, hash, stage } = current;
      return stage === "live" ? { ...current, schedules: this.schedules.states(name, hash) } : current;
    });
  }

  overview(plugin: string): PluginOverview | undefined {
    return this.deployments.overview(plugin, this.states());
  }

  rollback(request: RollbackRequest): Promise<RolledBack> {
    return this.deployments.rollback(request);
  }

  disable(plugin: string, actor: string): Promise<AgreementReport | undefined> {
    return this.deployments.disable(plugin, actor);
  }

  enable(plugin: string, actor: string, version?: string): Promise<AgreementReport | undefined> {
    return this.deployments.enable(plugin, actor, version);
  }

  grant(plugin: string, actor: string, grants: PluginGrants): Promise<AgreementReport | undefined> {
    return this.deployments.grant(plugin, actor, grants);
  }

  configuration(plugin: string): PluginConfiguration {
    return this.deployments.configuration(plugin);
  }

  configure(request: ConfigurationRequest): Promise<string[]> {
    return this.deployments.configure(request);
  }

  async scan(): Promise<void> {
    await this.sources.scan();
    await this.refresh();
    await this.templatesRead;
  }

  async withdraw(source: string): Promise<void> {
    await rm(source, { force: true });
    this.sources.withdraw(source);
    await this.scan();
  }

  expect(upload: Upload): void {
    this.fleet?.offers.expect(upload);
  }

  async agreed({ source }: Upload): Promise<AgreementReport | undefined> {
    // After the hosts have decided.
    await this.fleet?.offers.settle();
    return this.fleet?.offers.taken(source);
  }

  async drainSchedules(milliseconds: number): Promise<void> {
    await this.schedules.drain(milliseconds);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.schedules.drain(0), this.sessionHooks.drain(0)]);
    try {
      await this.sources.stop();
    } finally {
      await Promise.all([this.fleet?.stop(), this.deployments.stop()]);
      await this.snapshots.stop();
    }
    // The last change is still being written; a failure is logged.
    await this.file.update((memory) => memory).catch(() => undefined);
  }

  /** Updates the deployments from the sources. `isReconfigured`: the releases have changed. */
  private async refresh(isReconfigured = false): Promise<void> {
    if (!this.ready || this.stopped) return;
    try {
      await this.deployments.update(this.sources.sources(), this.releases);
      await this.fleet?.offers.settle(isReconfigured);
      this.snapshots.removeLater(() => this.needed());
    } catch (error) {
      this.options.log.error("Plugins could not be brought up to date", { error });
    }
  }

  /** A template has one content in all releases: that of the default one, or else of the first that has the plugin. */
  private useTemplates(): void {
    const { releases, defaultRelease } = this.published.table;
    const names = [defaultRelease, ...releases.keys()];
    const folders = new Map<string, string | undefined>();
    for (const { name, templates, assetFolder } of names.flatMap((each) => this.deployments.snapshots(each)))
      if (!folders.has(name)) folders.set(name, templates && join(assetFolder, templates));
    this.templatesRead = this.options.useTemplates?.(
      [...folders].flatMap(([plugin, folder]) => (folder === undefined ? [] : { plugin, folder })),
    );
  }

  private followTable(): void {
    const versions = workingVersions(this.published.table);
    this.schedules.follow(versions);
    this.sessionHooks.follow(versions);
  }

  private needed(): NeededSnapshots {
    const agreed = (this.fleet?.needed ?? []).flatMap((source) => this.snapshots.find(source)?.hash ?? []);
    return {
      hashes: new Set([...this.deployments.hashes, ...agreed]),
      archives: new Set([...this.sources.sources().map(({ path }) => path), ...(this.fleet?.archives ?? [])]),
    };
  }
}
