/** Connects the drop-in folders, the plugin deployments and the route table. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import {
  createHostServices,
  type HostServices,
  type ServiceProviders,
  type SessionContents,
  trimmedEnd,
} from "@slipway/sdk/runtime/host";
import type { PluginsConfiguration } from "../configuration/plugins-configuration.js";
import type { Journal } from "../observability/events/plugin-event.js";
import type { PluginMeasures } from "../observability/measures.js";
import { sdkVersion } from "../system/installation.js";
import type { PluginTemplates } from "../templates/templates.js";
import type { ConfigurationRequest, PluginConfiguration } from "./configuration/plugin-configuration.js";
import { PluginConfigurations } from "./configuration/plugin-configurations.js";
import { SavedConfigurations } from "./configuration/saved-configurations.js";
import { DeploymentAdministration } from "./deployment/administration.js";
import type {
  Agreed,
  PluginAdministration,
  PluginOverview,
  RollbackRequest,
  RolledBack,
  Upload,
} from "./deployment/plugin-administration.js";
import { PluginDeployment } from "./deployment/plugin-deployment.js";
import { PluginDeployments } from "./deployment/plugin-deployments.js";
import { rememberedReferences } from "./deployment/rollout-state.js";
import { openStateFile, RememberedRollout, type StateFile } from "./deployment/state-file.js";
import { FleetPlugins } from "./fleet/fleet-plugins.js";
import type { OutcomeStore } from "./fleet/outcome-store.js";
import type { PluginShelf, SwitchStore } from "./fleet/switch-store.js";
import { withSampleSession } from "./instances/sample-session.js";
import type { PluginState } from "./plugin-state.js";
import type { Release } from "./releases.js";
import { PublishedTable, type RouteTable, workingVersions } from "./route-table.js";
import { PluginSchedules } from "./schedules/plugin-schedules.js";
import { RunFiles } from "./schedules/run-files.js";
import type { OpenSessions } from "./session-hooks/hook-queue.js";
import { PluginSessionHooks } from "./session-hooks/plugin-session-hooks.js";
import { admissible, KnownSnapshots, Retention } from "./snapshots/known-snapshots.js";
import type { Settings } from "./snapshots/plugin-settings.js";
import type { Snapshot } from "./snapshots/snapshot.js";
import { SnapshotStore } from "./snapshots/snapshot-store.js";
import { Intake } from "./sources/intake.js";
import { Staging } from "./sources/staging.js";

export interface SupervisorOptions extends ServiceProviders {
  sessions: SessionContents & OpenSessions;
  configuration: PluginsConfiguration;
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
  /** Begins no further run of a schedule, and ends those that go on after some milliseconds. Resolves when they have ended. */
  drainSchedules(milliseconds: number): Promise<void>;
  /** Plugins that this host cannot serve as the hosts have agreed on. */
  readonly problems: readonly { plugin: string; reason: string }[];
  /** Is to be told of opened and ended sessions. */
  readonly sessionHooks: PluginSessionHooks;
  /** Ends every instance. */
  stop(): Promise<void>;
}

/** Bytes of a message besides the content of an answer. */
const messageOverhead = 64 * 1024;

/** Opens snapshots and state. Rejects when the snapshot folder is not writable. */
export async function createPluginSupervisor(options: SupervisorOptions): Promise<PluginSupervisor> {
  const { varDirectory, sdkDirectory, log } = options;
  const store = new SnapshotStore(join(varDirectory, "snapshots"), sdkDirectory, log, {
    development: options.configuration.development,
  });
  await store.open();
  const file = await openStateFile(join(varDirectory, "plugins.json"), log);
  const saved = await SavedConfigurations.open(join(varDirectory, "plugin-configuration"), log);
  const configurations = new PluginConfigurations(saved, options.configuration, options.concealed);
  return new Supervisor(options, store, file, configurations);
}

class Supervisor implements PluginSupervisor {
  private releases: readonly Release[];
  private readonly snapshots: KnownSnapshots;
  private readonly intake: Intake;
  private readonly deployments: PluginDeployments;
  private readonly published: PublishedTable;
  private readonly schedules: PluginSchedules;
  readonly sessionHooks: PluginSessionHooks;
  private readonly administration: DeploymentAdministration;
  private readonly retention: Retention;
  private readonly services: HostServices;
  private readonly fleet: FleetPlugins | undefined;
  private templatesRead: Promise<void> | undefined;
  private ready = false;
  private stopped = false;
  private releasesTurn: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: SupervisorOptions,
    store: SnapshotStore,
    private readonly file: StateFile,
    private readonly configurations: PluginConfigurations,
  ) {
    const { configuration, folders, varDirectory, journal, log } = options;
    this.releases = options.releases;
    this.snapshots = new KnownSnapshots(store);
    const { snapshots } = this;
    const staged = (snapshot: Snapshot): void => snapshots.expect(snapshot);
    const staging = new Staging({ store, staged, configuration, sdkVersion, varDirectory });
    this.intake = new Intake({
      folders,
      configuration,
      stager: staging,
      journal,
      log,
      changed: () => void this.refresh(),
    });
    this.deployments = new PluginDeployments({
      file,
      snapshots,
      deployment: (name) => this.newDeployment(name),
      removed: (name, sources) => this.fleet?.removed(name, sources),
    });
    const { fleet } = options;
    this.fleet =
      fleet &&
      new FleetPlugins({
        ...fleet,
        store: fleet.switches,
        deployments: this.deployments,
        staging,
        snapshots,
        file,
        folder: this.fleetFolder,
        configuration,
        journal,
        log,
      });
    this.published = new PublishedTable(this.deployments, this.releases, options.defaultRelease, log);
    const background = { baseUrl: trimmedEnd(options.publicUrl ?? "http://localhost", "/"), log };
    this.schedules = new PluginSchedules({
      files: new RunFiles(join(varDirectory, "plugin-schedules"), log),
      ...background,
    });
    this.sessionHooks = new PluginSessionHooks({ sessions: options.sessions, ...background });
    this.administration = new DeploymentAdministration(
      this.deployments,
      (name) => this.rollout(name),
      () => this.states(),
      configurations,
      journal,
      log,
      this.fleet,
    );
    const sweep = (): Promise<void> =>
      staging.sweep(
        new Set([...this.intake.sources().map(({ path }) => path), ...(this.fleet?.archives ?? [])]),
      );
    this.retention = new Retention(snapshots, () => this.neededHashes(), sweep, log);
    const answers = configuration.message * 1024 * 1024 - messageOverhead;
    this.services = createHostServices(
      {
        ...options,
        sessions: withSampleSession(options.sessions),
        plugins: (release) => this.published.offering(release),
      },
      answers,
    );
  }

  async start(services: Promise<void> = Promise.resolve()): Promise<void> {
    const { trust } = this.options.configuration;
    await this.snapshots.load(rememberedReferences(this.file.current), (snapshot) =>
      admissible(snapshot, { sdkVersion, trust }),
    );
    await Promise.all([this.intake.start().then(() => this.intake.waitForPendingSources()), services]);
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
    const sources = this.intake.sources().map((source) => this.deployments.shown(source) ?? source.record);
    const running = this.deployments.all.flatMap((deployment) =>
      deployment.all.map(({ candidate }) => candidate.record),
    );
    return [...new Set([...sources, ...running])].map(({ current }) => {
      const { name, hash, stage } = current;
      return stage === "live" ? { ...current, schedules: this.schedules.states(name, hash) } : current;
    });
  }

  overview(plugin: string): PluginOverview | undefined {
    return this.administration.overview(plugin);
  }

  rollback(request: RollbackRequest): Promise<RolledBack> {
    return this.administration.rollback(request);
  }

  disable(plugin: string, actor: string): Promise<Agreed | undefined> {
    return this.administration.disable(plugin, actor);
  }

  enable(plugin: string, actor: string, version?: string): Promise<Agreed | undefined> {
    return this.administration.enable(plugin, actor, version);
  }

  configuration(plugin: string): PluginConfiguration {
    return this.administration.configuration(plugin);
  }

  configure(request: ConfigurationRequest): Promise<string[]> {
    return this.administration.configure(request);
  }

  async scan(): Promise<void> {
    await this.intake.scan();
    await this.refresh();
    await this.templatesRead;
  }

  async withdraw(place: string): Promise<void> {
    await rm(place, { force: true });
    this.intake.withdraw(place);
    await this.scan();
  }

  expect(upload: Upload): void {
    this.fleet?.expect(upload);
  }

  async agreed({ place }: Upload): Promise<Agreed | undefined> {
    // Behind what goes on for it.
    await this.fleet?.settle();
    return this.fleet?.taken(place);
  }

  async drainSchedules(milliseconds: number): Promise<void> {
    await this.schedules.drain(milliseconds);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.schedules.drain(0), this.sessionHooks.drain(0)]);
    try {
      await this.intake.stop();
    } finally {
      await Promise.all([this.fleet?.stop(), this.deployments.stop()]);
      await this.retention.stop();
    }
    // The last change is still being written; a failure is logged.
    await this.file.update((memory) => memory).catch(() => undefined);
  }

  private get fleetFolder(): string {
    return join(this.options.varDirectory, "fleet");
  }

  /** Updates the deployments from the sources. `isReconfigured`: the releases have changed. */
  private async refresh(isReconfigured = false): Promise<void> {
    if (!this.ready || this.stopped) return;
    try {
      await this.deployments.update(this.intake.sources(), this.releases);
      await this.fleet?.settle(isReconfigured);
      this.retention.later();
    } catch (error) {
      this.options.log.error("Plugins could not be brought up to date", { error });
    }
  }

  private newDeployment(name: string): PluginDeployment {
    const deployment = new PluginDeployment({
      ...this.options,
      fleet: this.fleet?.optionsOf(name),
      services: this.services,
      configurations: this.configurations,
      name,
      rollout: this.rollout(name),
      stored: (id) => this.snapshots.find(id),
      publish: () => {
        this.published.publish();
        this.useTemplates();
        this.followTable();
      },
    });
    deployment.selection.releases = this.releases;
    return deployment;
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

  private rollout(name: string): RememberedRollout {
    return new RememberedRollout(name, this.file);
  }

  private neededHashes(): Set<string> {
    const running = this.deployments.all.flatMap((deployment) =>
      deployment.all.map(({ plugin }) => plugin.hash),
    );
    const remembered = rememberedReferences(this.file.current).flatMap(
      ({ hash }) => this.snapshots.find(hash)?.hash ?? hash,
    );
    const agreed = (this.fleet?.needed ?? []).flatMap((source) => this.snapshots.find(source)?.hash ?? []);
    return new Set([...this.deployments.hashes, ...running, ...remembered, ...agreed]);
  }
}
