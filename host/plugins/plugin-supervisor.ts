/** Plugins from folder to route table: discovery, snapshots, one supervised process per version, releases. */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { checked, type Log, Type, Validator } from "@slipway/sdk";
import { eachInTurn } from "../each-in-turn.js";
import { hostVersion } from "../installation.js";
import { endBundler } from "./intake/bundle.js";
import { type Candidate, prepareCandidate, withoutDuplicates } from "./intake/candidate.js";
import { discoverPlugins } from "./intake/discovery.js";
import { bringUp } from "./lifecycle/bring-up.js";
import { SupervisedPlugin } from "./lifecycle/supervised-plugin.js";
import type { RouteTable } from "./live-plugin.js";
import type { PluginState, StateRecord } from "./plugin-state.js";
import type { PluginsConfiguration } from "./plugins-configuration.js";
import { defaultRelease, type Release, type Releases, readReleases, select } from "./releases.js";
import { livePlugins, routeTable } from "./route-table.js";
import { createHostServices, type HostServices, type ServiceProviders } from "./services/host-services.js";
import { SnapshotStore } from "./snapshots/snapshot-store.js";

export interface SupervisorOptions extends ServiceProviders {
  configuration: PluginsConfiguration;
  /** None: one release named after the host's version takes the newest stable version of everything. */
  releases: Releases;
  /** Folders that hold plugin folders. */
  folders: readonly string[];
  varDirectory: string;
  /** The package `@slipway/sdk` that plugins get. */
  sdkDirectory: string;
  log: Log;
}

export interface PluginSupervisor {
  /**
   * Brings up what the releases ask for; one plugin's failure is in its state and stops nobody else. Bundles at once and
   * starts nothing before `services` are there, which a plugin may ask for while it comes up.
   */
  start(services?: Promise<void>): Promise<void>;
  /** What serves right now; a request keeps the table that it began with. */
  table(): RouteTable;
  /** One for each plugin folder that was found, in the order of the folders. */
  states(): PluginState[];
  /** Ends every instance; nothing is left running. */
  stop(): Promise<void>;
}

/** Room in a message beside the content of an answer. */
const messageOverhead = 64 * 1024;

export function createPluginSupervisor(options: SupervisorOptions): PluginSupervisor {
  return new Supervisor(options);
}

class Supervisor implements PluginSupervisor {
  private readonly releases: Release[];
  private readonly defaultRelease: string;
  private readonly services: HostServices;
  private records: StateRecord[] = [];
  private readonly live = new Map<Candidate, SupervisedPlugin>();
  private current: RouteTable;
  private stopped = false;

  constructor(private readonly options: SupervisorOptions) {
    const { configuration, releases, log } = options;
    this.releases = readReleases(releases, hostVersion);
    this.defaultRelease = defaultRelease(this.releases, configuration.defaultRelease);
    this.services = createHostServices(
      { ...options, plugins: () => livePlugins(this.current) },
      configuration.message * 1024 * 1024 - messageOverhead,
      log,
    );
    this.current = routeTable(this.releases, this.defaultRelease, [], log);
  }

  async start(services: Promise<void> = Promise.resolve()): Promise<void> {
    const [candidates] = await Promise.all([this.prepare(), services]);
    await eachInTurn(byName(candidates), parallel, (versions) => this.bringUpSelected(versions));
    for (const candidate of candidates) this.noteReleases(candidate);
    this.current = routeTable(this.releases, this.defaultRelease, [...this.live.values()], this.options.log);
  }

  table(): RouteTable {
    return this.current;
  }

  states(): PluginState[] {
    return this.records.map((record) => record.current);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([...this.live.values()].map((plugin) => plugin.stop()));
  }

  private async prepare(): Promise<Candidate[]> {
    const { folders, varDirectory, sdkDirectory, configuration, log } = this.options;
    const store = new SnapshotStore(join(varDirectory, "snapshots"), sdkDirectory);
    await store.open();
    const sdkVersion = await readSdkVersion(sdkDirectory);
    const found = await discoverPlugins(folders, log);
    const preparation = { store, sdkVersion, config: configuration.config, log };
    const prepared = await eachInTurn(found, parallel, (folder) => prepareCandidate(folder, preparation));
    await endBundler();
    this.records = prepared.map(({ record }) => record);
    return withoutDuplicates(prepared.flatMap(({ candidate }) => candidate ?? []));
  }

  /**
   * Of one plugin, the versions that the releases want. Where one does not come up, the next lower one of its range
   * gets its chance.
   */
  private async bringUpSelected(versions: readonly Candidate[]): Promise<void> {
    let fit = [...versions];
    while (!this.stopped) {
      const wanted = new Set(this.releases.flatMap((release) => [...select(release, fit).values()]));
      const missing = [...wanted].filter((candidate) => !this.live.has(candidate));
      if (missing.length === 0) break;
      const up = await Promise.all(missing.map((candidate) => this.bringUp(candidate)));
      const failed = missing.filter((_candidate, index) => up[index] === false);
      fit = fit.filter((candidate) => !failed.includes(candidate));
    }
    for (const candidate of fit) {
      if (!this.live.has(candidate)) candidate.record.enter("standby", "no release asks for this version");
    }
  }

  private async bringUp(candidate: Candidate): Promise<boolean> {
    const { configuration, log } = this.options;
    const { snapshot, aliases, settings, record } = candidate;
    const { services } = this;
    const plugin = new SupervisedPlugin({
      snapshot,
      aliases,
      configuration,
      record,
      observer: { crashed: () => undefined, explained: () => undefined, answered: () => undefined },
      journal: { note: () => undefined },
      log,
      bringUp: (callbacks, signal, first) =>
        bringUp({ snapshot, settings, configuration, services, log, callbacks }, record, signal, first),
    });
    try {
      this.live.set(candidate, plugin);
      await plugin.start();
      plugin.become("live");
      return true;
    } catch (error) {
      this.live.delete(candidate);
      record.enter("failed", error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  private noteReleases(candidate: Candidate): void {
    const live = [...this.live.keys()];
    const releases = this.releases.filter(
      (release) => select(release, live).get(candidate.name) === candidate,
    );
    candidate.record.learn({ releases: releases.map(({ name }) => name) });
  }
}

function byName(candidates: readonly Candidate[]): Candidate[][] {
  const names = [...new Set(candidates.map(({ name }) => name))];
  return names.map((name) => candidates.filter((candidate) => candidate.name === name));
}

const parallel = Math.max(2, availableParallelism());

async function readSdkVersion(sdkDirectory: string): Promise<string> {
  const check = new Validator().compile(Type.Object({ version: Type.String() }), "package.json");
  const text = await readFile(join(sdkDirectory, "package.json"), "utf8");
  return checked(check(JSON.parse(text)), "The package.json of @slipway/sdk").version;
}
