/** Connects the drop-in folders, the plugin deployments and the route table. */
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import { createHostServices, type HostServices, type ServiceProviders } from "@slipway/sdk/runtime/host";
import type { PluginsConfiguration } from "../configuration/plugins-configuration.js";
import type { Journal } from "../observability/events/plugin-event.js";
import type { PluginMeasures } from "../observability/measures.js";
import { sdkVersion } from "../system/installation.js";
import { DeploymentAdministration } from "./deployment/administration.js";
import type { Candidate } from "./deployment/candidates.js";
import type {
  PluginAdministration,
  PluginOverview,
  Rollback,
  RollbackRequest,
} from "./deployment/plugin-administration.js";
import { PluginDeployment } from "./deployment/plugin-deployment.js";
import { PluginDeployments } from "./deployment/plugin-deployments.js";
import { rememberedReferences } from "./deployment/rollout-state.js";
import { openStateFile, RememberedRollout, type StateFile } from "./deployment/state-file.js";
import { bringUp } from "./instances/bring-up.js";
import { SupervisedPlugin, type VersionObserver } from "./instances/supervised-plugin.js";
import type { PluginState } from "./plugin-state.js";
import type { Release } from "./releases.js";
import { PublishedTable, type RouteTable } from "./route-table.js";
import { admissible, KnownSnapshots, Retention } from "./snapshots/known-snapshots.js";
import { settingsOf } from "./snapshots/plugin-settings.js";
import type { Snapshot } from "./snapshots/snapshot.js";
import { SnapshotStore } from "./snapshots/snapshot-store.js";
import { createIntake } from "./sources/intake.js";
import type { Intake } from "./sources/source-state.js";
import { Staging } from "./sources/staging.js";

export interface SupervisorOptions extends ServiceProviders {
  configuration: PluginsConfiguration;
  releases: readonly Release[];
  /** The release for paths without one. */
  defaultRelease: string;
  folders: readonly string[];
  varDirectory: string;
  /** Folder of the package `@slipway/sdk` that plugins import. */
  sdkDirectory: string;
  journal: Journal;
  measures?: PluginMeasures | undefined;
  log: Log;
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
  useReleases(releases: readonly Release[], defaultRelease: string, actor: string): Promise<void>;
  /** Ends every instance. */
  stop(): Promise<void>;
}

/** Bytes of a message besides the content of an answer. */
const messageOverhead = 64 * 1024;

/** Opens snapshots and state. Rejects when the snapshot folder is not writable. */
export async function createPluginSupervisor(options: SupervisorOptions): Promise<PluginSupervisor> {
  const { varDirectory, sdkDirectory, log } = options;
  const store = new SnapshotStore(join(varDirectory, "snapshots"), sdkDirectory, log, {
    sourceMap: options.configuration.development,
  });
  await store.open();
  const file = await openStateFile(join(varDirectory, "plugins.json"), log);
  return new Supervisor(options, store, file);
}

class Supervisor implements PluginSupervisor {
  private releases: readonly Release[];
  private readonly snapshots: KnownSnapshots;
  private readonly intake: Intake;
  private readonly deployments: PluginDeployments;
  private readonly published: PublishedTable;
  private readonly administration: DeploymentAdministration;
  private readonly retention: Retention;
  private readonly services: HostServices;
  private ready = false;
  private stopped = false;
  private releasesTurn: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: SupervisorOptions,
    store: SnapshotStore,
    private readonly file: StateFile,
  ) {
    const { configuration, folders, varDirectory, journal, log } = options;
    this.releases = options.releases;
    this.snapshots = new KnownSnapshots(store);
    const { snapshots } = this;
    const staged = (snapshot: Snapshot): void => snapshots.expect(snapshot);
    const staging = new Staging({ store, staged, configuration, sdkVersion, varDirectory });
    this.intake = createIntake({
      folders,
      configuration,
      completeness: (folder) => staging.completeness(folder),
      unpack: (archive) => staging.unpack(archive),
      stage: (folder, record) => staging.stage(folder, record),
      journal,
      log,
      changed: () => void this.refresh(),
    });
    this.deployments = new PluginDeployments({
      file,
      snapshots,
      deployment: (name) => this.newDeployment(name),
    });
    this.published = new PublishedTable(this.deployments, this.releases, options.defaultRelease, log);
    this.administration = new DeploymentAdministration(
      this.deployments,
      (name) => this.rollout(name),
      () => this.states(),
      journal,
    );
    const sweep = (): Promise<void> => staging.sweep(new Set(this.intake.sources().map(({ path }) => path)));
    this.retention = new Retention(snapshots, () => this.neededHashes(), sweep, log);
    const answers = configuration.message * 1024 * 1024 - messageOverhead;
    this.services = createHostServices(
      { ...options, plugins: (release) => this.published.offering(release) },
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
    this.published.complete();
  }

  table(): RouteTable {
    return this.published.table;
  }

  /** One change at a time: a second one would remove releases that the first is still starting. */
  useReleases(releases: readonly Release[], defaultRelease: string, actor: string): Promise<void> {
    const taken = this.releasesTurn.then(() => this.takeReleases(releases, defaultRelease, actor));
    this.releasesTurn = taken.catch(() => undefined);
    return taken;
  }

  private async takeReleases(
    releases: readonly Release[],
    defaultRelease: string,
    actor: string,
  ): Promise<void> {
    const names = releases.map(({ name }) => name);
    // Leaving releases serve until the new ones do: paths without a release may move from one to the other.
    const leaving = this.releases.filter(({ name }) => !names.includes(name));
    this.releases = [...releases, ...leaving];
    await this.refresh();
    this.published.useReleases(releases, defaultRelease);
    this.releases = releases;
    await this.refresh();
    const reason = `The releases are ${names.join(", ")}.`;
    this.options.journal.note({ kind: "releases", to: "in force", reason, actor });
  }

  states(): PluginState[] {
    const sources = this.intake.sources().map((source) => this.deployments.shown(source) ?? source.record);
    const running = this.deployments.all.flatMap((deployment) =>
      deployment.all.map(({ candidate }) => candidate.record),
    );
    return [...new Set([...sources, ...running])].map((record) => record.current);
  }

  overview(plugin: string): PluginOverview | undefined {
    return this.administration.overview(plugin);
  }

  rollback(request: RollbackRequest): Promise<Rollback[]> {
    return this.administration.rollback(request);
  }

  disable(plugin: string, actor: string): Promise<void> {
    return this.administration.disable(plugin, actor);
  }

  enable(plugin: string, actor: string, version?: string): Promise<void> {
    return this.administration.enable(plugin, actor, version);
  }

  async scan(): Promise<void> {
    await this.intake.scan();
    await this.refresh();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    try {
      await this.intake.stop();
    } finally {
      await this.deployments.stop();
      await this.retention.stop();
    }
    // The last change is still being written; a failure is logged.
    await this.file.update((memory) => memory).catch(() => undefined);
  }

  /** Updates the deployments from the sources. */
  private async refresh(): Promise<void> {
    if (!this.ready || this.stopped) return;
    try {
      await this.deployments.update(this.intake.sources(), this.releases);
      this.retention.later();
    } catch (error) {
      this.options.log.error("Plugins could not be brought up to date", { error });
    }
  }

  private newDeployment(name: string): PluginDeployment {
    const { configuration, journal, log } = this.options;
    return new PluginDeployment({
      name,
      rollout: this.rollout(name),
      configuration,
      stored: (hash) => this.snapshots.find(hash),
      supervise: (candidate, observer) =>
        superviseVersion({ ...this.options, services: this.services, candidate, observer }),
      publish: () => this.published.publish(),
      journal,
      log,
    });
  }

  private rollout(name: string): RememberedRollout {
    return new RememberedRollout(name, this.file, this.options.configuration);
  }

  private neededHashes(): Set<string> {
    const running = this.deployments.all.flatMap((deployment) =>
      deployment.all.map(({ plugin }) => plugin.hash),
    );
    const remembered = rememberedReferences(this.file.current).map(({ hash }) => hash);
    return new Set([...this.deployments.hashes, ...running, ...remembered]);
  }
}

export interface SuperviseOptions {
  candidate: Candidate;
  observer: VersionObserver;
  configuration: PluginsConfiguration;
  services: HostServices;
  measures?: PluginMeasures | undefined;
  journal: Journal;
  log: Log;
}

/** Creates a version that is ready to start, with its configured settings. */
export function superviseVersion(options: SuperviseOptions): SupervisedPlugin {
  const { candidate, observer, configuration, services, measures, journal, log } = options;
  const { snapshot, record } = candidate;
  const settings = settingsOf(snapshot, configuration.config);
  return new SupervisedPlugin({
    snapshot,
    configuration,
    record,
    observer,
    journal,
    log,
    bringUp: (callbacks, signal, probing) =>
      bringUp({ snapshot, settings, configuration, services, measures, log, callbacks }, signal, probing),
  });
}
