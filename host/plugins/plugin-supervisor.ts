/** Plugins from the drop-in folder to the route table. */
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
  /** The release behind paths that name none. */
  defaultRelease: string;
  /** Folders that hold plugins. */
  folders: readonly string[];
  varDirectory: string;
  /** The package `@slipway/sdk` that plugins get. */
  sdkDirectory: string;
  journal: Journal;
  /** Hears of what is counted. */
  measures?: PluginMeasures | undefined;
  log: Log;
}

export interface PluginSupervisor extends PluginAdministration {
  /**
   * Brings up what the releases ask for; a plugin's failure is in its state and does not affect the others. Bundles at once and
   * starts nothing before `services` are there, which a plugin may ask for while it comes up.
   */
  start(services?: Promise<void>): Promise<void>;
  /** What serves right now; a request keeps the table that it began with. */
  table(): RouteTable;
  /** Other releases from now on. Resolves when every one has the versions that it asks for. */
  useReleases(releases: readonly Release[], defaultRelease: string, actor: string): Promise<void>;
  /** Ends every instance; nothing is left running. */
  stop(): Promise<void>;
}

/** Room in a message beside the content of an answer. */
const messageOverhead = 64 * 1024;

/** Opens what is remembered of plugins. Rejects when the folder of snapshots cannot be written. */
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

  /** One after the other: a second one would take away what the first has not brought yet. */
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
    // What leaves goes on until everything that comes is there: paths without a release may move from one to the other.
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
    // What was changed last is still being written; why it may fail is in the log.
    await this.file.update((memory) => memory).catch(() => undefined);
  }

  /** Updates the deployments with the sources. */
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

/** A version that is ready to be started, with its settings as the configuration has them. */
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
