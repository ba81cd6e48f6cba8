/**
 * Deployment: which version of each plugin serves which release.
 *
 * Goes in: the sources with their snapshots, the releases, orders of admins, and how the running versions behave. Comes
 * out: the versions that serve each release, started and probed before they replace others; `publish` is called after each
 * switch.
 *
 * Owns `var/plugins.json`, which has all that must survive a restart: rollbacks, quarantine, proven versions. One
 * `PluginDeployment` decides for one plugin. On a host in a fleet it offers its choice to the other hosts, and serves what
 * all of them have agreed on; `fleet` does that.
 */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { LivePlugin } from "@slipway/sdk/runtime/host";
import type { PluginGrants } from "../../configuration/plugin-grants.js";
import { grantsOfName } from "../../configuration/plugin-limits.js";
import { pluginNotFound } from "../../system/request-errors.js";
import type {
  AgreementReport,
  PluginOverview,
  RollbackRequest,
  RolledBack,
} from "../administration/administration.js";
import type { ConfigurationRequest, PluginConfiguration } from "../configuration/configuration.js";
import type { PluginState, StateRecord } from "../plugin-state.js";
import type { Release } from "../releases.js";
import type { Snapshot, SnapshotReference, Snapshots } from "../snapshots/snapshots.js";
import type { SourceState } from "../sources/sources.js";
import type { SourceSnapshots } from "./candidates.js";
import { configure, describedVersion } from "./configure.js";
import { disable, enable, type FleetOrders, grant, type OrderParts, rollBack } from "./orders.js";
import { type FleetOptions, PluginDeployment } from "./plugin-deployment.js";
import {
  earlierOf,
  type PluginsMemory,
  RememberedRollout,
  type RememberedSource,
  type StateFile,
} from "./plugins-memory.js";
import { noteHeld } from "./rollout.js";
import type { VersionOptions } from "./running-versions.js";
import { type Candidate, keyOf } from "./selection.js";

export type { FleetOptions, PluginDeployment } from "./plugin-deployment.js";
export {
  type AgreedVersion,
  type Agreement,
  type MemoryChange,
  noAgreement,
  openStateFile,
  PluginsMemory,
  rolloutOf,
  type StateFile,
} from "./plugins-memory.js";
export type { Comparison, SharedJudgement } from "./running-versions.js";
export type { Candidate } from "./selection.js";

/** The hosts that agree on their plugins. */
interface Fleet extends FleetOrders {
  optionsOf(plugin: string): FleetOptions;
  /** Called when snapshots are in no folder of this host any more; with their source hashes. */
  removed(plugin: string, sources: readonly string[]): void;
}

interface DeploymentsOptions extends VersionOptions {
  file: StateFile;
  snapshots: Snapshots;
  releases: readonly Release[];
  /** Called when a release has a new version. */
  publish(): void;
  /** Undefined on a host by itself. */
  fleet(): Fleet | undefined;
}

/** The deployments of all plugins, and the orders of admins for them. */
export class Deployments {
  private readonly deployments = new Map<string, PluginDeployment>();
  /** By path of a source: the snapshot of its last complete content, in force until the next one is complete. */
  private readonly complete = new Map<string, NonNullable<SourceSnapshots["current"]>>();
  private releases: readonly Release[];

  constructor(private readonly options: DeploymentsOptions) {
    this.releases = options.releases;
  }

  get all(): PluginDeployment[] {
    return [...this.deployments.values()];
  }

  get names(): string[] {
    return [...this.deployments.keys()];
  }

  /** By public name, or by an alias of a version that runs or is in a source. */
  private find(name: string): PluginDeployment | undefined {
    return this.deployments.get(name) ?? this.all.find((each) => aliasesOf(each).includes(name));
  }

  /** The deployment of a plugin, which may be new or come from another host. */
  named(name: string): PluginDeployment {
    const known = this.deployments.get(name);
    if (known !== undefined) return known;
    const { snapshots, fleet } = this.options;
    const deployment = new PluginDeployment({
      ...this.options,
      fleet: fleet()?.optionsOf(name),
      name,
      rollout: new RememberedRollout(name, this.options.file),
      stored: (id) => snapshots.find(id),
    });
    deployment.candidates.releases = this.releases;
    this.deployments.set(name, deployment);
    return deployment;
  }

  serving(release: string): LivePlugin[] {
    return this.all.flatMap((deployment) => deployment.serving(release)?.plugin ?? []);
  }

  /** The snapshots of the versions that serve a release. */
  snapshots(release: string): Snapshot[] {
    return this.all.flatMap((deployment) => deployment.serving(release)?.snapshot ?? []);
  }

  /** The versions that have a process, with their records. */
  get running(): { plugin: LivePlugin; record: StateRecord }[] {
    const versions = this.all.flatMap((deployment) => deployment.all);
    return versions.map(({ plugin, candidate }) => ({ plugin, record: candidate.record }));
  }

  /** What is remembered of snapshots, which may be needed again. */
  get remembered(): SnapshotReference[] {
    return rememberedReferences(this.options.file.current);
  }

  /** Hashes of the snapshots that are in a source, run, or are remembered. */
  get hashes(): string[] {
    const { snapshots } = this.options;
    return [
      ...[...this.complete.values()].map(({ snapshot }) => snapshot.hash),
      ...this.running.map(({ plugin }) => plugin.hash),
      ...this.remembered.map(({ hash }) => snapshots.find(hash)?.hash ?? hash),
    ];
  }

  /** Sets the sources and the releases. Resolves when they are in force. */
  async update(sources: readonly SourceState[], releases: readonly Release[]): Promise<void> {
    this.releases = releases;
    this.noteComplete(sources);
    this.forgetRemoved(sources);
    const contents = this.contentsByName(sources);
    for (const name of contents.keys()) this.named(name);
    await Promise.all(
      [...this.deployments].map(([name, deployment]) =>
        deployment.update(contents.get(name) ?? [], releases),
      ),
    );
  }

  /** The record to show for a source: that of the running version if it runs the current content. */
  shown({ path, snapshot }: SourceState): StateRecord | undefined {
    if (snapshot === undefined) return undefined;
    const key = keyOf({ snapshot, source: path });
    const found = this.deployments.get(snapshot.name)?.all.find(({ candidate }) => keyOf(candidate) === key);
    return found?.candidate.record;
  }

  /** Remembers candidates in folders of this host that the hosts of a fleet have agreed on before. */
  noteHeld(candidates: readonly Candidate[]): void {
    // The state file logs a failure.
    this.options.file.update((memory) => noteHeld(memory, candidates)).catch(() => undefined);
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((deployment) => deployment.stop()));
  }

  /** `states`: those of all plugins. */
  overview(plugin: string, states: readonly PluginState[]): PluginOverview | undefined {
    const deployment = this.find(plugin);
    if (deployment === undefined) return undefined;
    const { name, rollout, assignment } = deployment;
    const { disabled, kept, quarantined, pins, grants = {} } = rollout.current;
    return {
      name,
      aliases: [...new Set(aliasesOf(deployment))],
      disabled: disabled !== undefined,
      releases: Object.fromEntries(
        [...assignment.serving].map(([release, { snapshot }]) => [release, snapshot.version]),
      ),
      versions: states.filter((state) => state.name === name),
      kept,
      quarantined,
      grants: {
        configured: grantsOfName(this.options.configuration, { name, aliases: aliasesOf(deployment) }),
        saved: grants,
      },
      pins,
    };
  }

  async rollback(request: RollbackRequest): Promise<RolledBack> {
    return await rollBack(this.orderFor(request.plugin), request);
  }

  async disable(plugin: string, actor: string): Promise<AgreementReport | undefined> {
    return await disable(this.orderFor(plugin), actor);
  }

  async enable(plugin: string, actor: string, version?: string): Promise<AgreementReport | undefined> {
    return await enable(this.orderFor(plugin), actor, version);
  }

  async grant(plugin: string, actor: string, grants: PluginGrants): Promise<AgreementReport | undefined> {
    return await grant(this.orderFor(plugin), actor, grants);
  }

  private orderFor(plugin: string): OrderParts {
    const { journal, fleet } = this.options;
    return { deployment: this.existing(plugin), journal, fleet: fleet() };
  }

  configuration(plugin: string): PluginConfiguration {
    const { configurations } = this.options;
    const { snapshot, schema } = describedVersion({ deployment: this.existing(plugin), configurations });
    return configurations.shown(snapshot, schema);
  }

  async configure(request: ConfigurationRequest): Promise<string[]> {
    const { configurations, journal, log } = this.options;
    return await configure(
      { deployment: this.existing(request.plugin), configurations, journal, log },
      request,
    );
  }

  private existing(plugin: string): PluginDeployment {
    const found = this.find(plugin);
    if (found !== undefined) return found;
    throw pluginNotFound(plugin, this.names);
  }

  private noteComplete(sources: readonly SourceState[]): void {
    for (const path of this.complete.keys())
      if (!sources.some((source) => source.path === path)) this.complete.delete(path);
    for (const { path, snapshot, record } of sources) {
      if (snapshot === undefined) continue;
      this.complete.set(path, { snapshot, record });
      this.options.snapshots.add(snapshot);
    }
  }

  /** Forgets the earlier contents of removed sources, so that they do not return. */
  private forgetRemoved(sources: readonly SourceState[]): void {
    const { file, snapshots } = this.options;
    // Earlier hosts remembered hashes of all that runs.
    const sourceOf = ({ hash }: { hash: string }): string => snapshots.find(hash)?.sourceHash ?? hash;
    const there = new Set(sources.map(({ path }) => path));
    const gone = Object.keys(file.current.places).filter(
      (path) => !there.has(path) && canBeListed(dirname(path)),
    );
    if (gone.length === 0) return;
    for (const path of gone) {
      const source = file.current.places[path];
      if (source === undefined) continue;
      this.options.fleet()?.removed(source.name, earlierOf(source, source.name).map(sourceOf));
    }
    const kept = (remembered: PluginsMemory["places"]): PluginsMemory["places"] =>
      Object.fromEntries(Object.entries(remembered).filter(([path]) => !gone.includes(path)));
    file
      .update((all) => ({ ...all, places: kept(all.places) }))
      // The failure is logged, and the next change tries again.
      .catch(() => undefined);
  }

  private contentsByName(sources: readonly SourceState[]): Map<string, SourceSnapshots[]> {
    const contents = new Map<string, SourceSnapshots[]>();
    const add = (name: string, content: SourceSnapshots): void => {
      contents.set(name, [...(contents.get(name) ?? []), content]);
    };
    const { file, snapshots } = this.options;
    const remembered = file.current.places;
    const earlier = (source: RememberedSource | undefined, name: string): Snapshot[] =>
      earlierOf(source, name).flatMap(({ hash }) => snapshots.find(hash) ?? []);
    for (const { path, record } of sources) {
      const before = remembered[path];
      const current = this.complete.get(path);
      // The name of a folder that cannot be bundled is known from its manifest.
      const name = current?.snapshot.name ?? before?.name ?? record.current.name;
      if (name === undefined) continue;
      add(name, { path, current, earlier: earlier(before, name) });
    }
    for (const [path, source] of Object.entries(remembered)) {
      // The folder cannot be read; otherwise the source would have been forgotten.
      if (sources.some((each) => each.path === path)) continue;
      add(source.name, { path, current: undefined, earlier: earlier(source, source.name) });
    }
    return contents;
  }
}

/** Aliases of the versions that run or are in the sources. */
function aliasesOf({ candidates }: PluginDeployment): readonly string[] {
  return candidates.present().flatMap(({ snapshot }) => snapshot.aliases);
}

/** All snapshots that may be needed again. */
function rememberedReferences({ places, plugins }: PluginsMemory): SnapshotReference[] {
  const ofPlugins = Object.entries(plugins).flatMap(([name, { kept, pins }]) =>
    [...kept, ...Object.values(pins)].map(({ version, hash }) => ({ name, version, hash })),
  );
  return [...Object.values(places).flatMap((source) => earlierOf(source, source.name)), ...ofPlugins];
}

/** Whether a drop-in folder can be read: a missing drive does not remove its plugins. */
function canBeListed(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
