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
import { pluginNotFound } from "../../system/request-errors.js";
import {
  type AgreementReport,
  missing,
  type PluginOverview,
  type RollbackRequest,
  type RolledBack,
  throwFailed,
} from "../administration/administration.js";
import type { ConfigurationRequest, PluginConfiguration } from "../configuration/configuration.js";
import type { PluginState, StateRecord } from "../plugin-state.js";
import type { Release } from "../releases.js";
import type { Snapshot, SnapshotReference, Snapshots } from "../snapshots/snapshots.js";
import type { SourceState } from "../sources/sources.js";
import { type Candidate, keyOf, type SourceSnapshots } from "./candidates.js";
import { configure, describedVersion } from "./configure.js";
import { type FleetOptions, PluginDeployment } from "./plugin-deployment.js";
import { type FleetOrders, rollBack } from "./rollback.js";
import { disable, enable, noteHeld } from "./rollout.js";
import {
  earlierOf,
  type PluginsMemory,
  type RememberedSource,
  rememberedReferences,
} from "./rollout-state.js";
import type { VersionOptions } from "./running-versions.js";
import { type MemoryChange, RememberedRollout, type StateFile } from "./state-file.js";

export type { Candidate } from "./candidates.js";
export type { FleetOptions, PluginDeployment } from "./plugin-deployment.js";
export {
  type AgreedVersion,
  type Agreement,
  noAgreement,
  PluginsMemory,
  rolloutOf,
} from "./rollout-state.js";
export type { SharedJudgement } from "./running-versions.js";
export { type MemoryChange, openStateFile, type StateFile } from "./state-file.js";
export type { Comparison } from "./trial.js";

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
  find(name: string): { name: string; deployment: PluginDeployment } | undefined {
    const exact = this.deployments.get(name);
    if (exact !== undefined) return { name, deployment: exact };
    const found = [...this.deployments].find(([, deployment]) => deployment.aliases.includes(name));
    return found && { name: found[0], deployment: found[1] };
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
      rollout: this.rolloutOf(name),
      stored: (id) => snapshots.find(id),
    });
    deployment.selection.releases = this.releases;
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
    const found = this.find(plugin);
    if (found === undefined) return undefined;
    const { name, deployment } = found;
    const { disabled, kept, quarantined, pins } = this.rolloutOf(name).current;
    return {
      name,
      aliases: [...new Set(deployment.aliases)],
      disabled: disabled !== undefined,
      releases: deployment.servedReleases,
      versions: states.filter((state) => state.name === name),
      kept,
      quarantined,
      pins,
    };
  }

  async rollback(request: RollbackRequest): Promise<RolledBack> {
    const { name, deployment } = this.existing(request.plugin);
    const { fleet, journal } = this.options;
    return await rollBack(deployment, this.rolloutOf(name), { ...request, plugin: name }, journal, fleet());
  }

  async disable(plugin: string, actor: string): Promise<AgreementReport | undefined> {
    const { name, deployment } = this.existing(plugin);
    const fleet = this.options.fleet();
    if (fleet !== undefined) {
      const transition: MemoryChange = (memory, at) => disable(memory, name, actor, at);
      const agreed = await fleet.order(deployment, name, { transition, supersedes: true });
      this.options.journal.note({ kind: "disable", plugin: name, actor });
      return agreed;
    }
    const saved = this.rolloutOf(name).change((memory, at) => disable(memory, name, actor, at));
    const over = Promise.allSettled([saved, deployment.reconcile()]);
    this.options.journal.note({ kind: "disable", plugin: name, actor });
    throwFailed(await over);
    return undefined;
  }

  async enable(plugin: string, actor: string, version?: string): Promise<AgreementReport | undefined> {
    const { name, deployment } = this.existing(plugin);
    if (version !== undefined && !deployment.selection.knows(version))
      throw missing(`There is no version "${version.slice(0, 80)}" of ${name}.`);
    const forgiven = deployment.selection.clearAllFailures(version);
    const fleet = this.options.fleet();
    if (fleet !== undefined) {
      await forgiven;
      const transition: MemoryChange = (memory) => enable(memory, name, version);
      const agreed = await fleet.order(deployment, name, { transition });
      this.noteEnable(name, actor, version);
      return agreed;
    }
    const saved = this.rolloutOf(name).change((memory) => enable(memory, name, version));
    const over = Promise.allSettled([saved, forgiven, deployment.reconcile()]);
    this.noteEnable(name, actor, version);
    throwFailed(await over);
    return undefined;
  }

  configuration(plugin: string): PluginConfiguration {
    const { name, deployment } = this.existing(plugin);
    const { configurations } = this.options;
    const { snapshot, schema } = describedVersion({ deployment, configurations }, name);
    return configurations.shown(snapshot, schema);
  }

  async configure(request: ConfigurationRequest): Promise<string[]> {
    const { name, deployment } = this.existing(request.plugin);
    const { configurations, journal, log } = this.options;
    const rollout = this.rolloutOf(name);
    return await configure(
      { deployment, configurations, rollout, journal, log },
      { ...request, plugin: name },
    );
  }

  private noteEnable(plugin: string, actor: string, version: string | undefined): void {
    this.options.journal.note({
      kind: "enable",
      plugin,
      actor,
      ...(version === undefined ? {} : { version }),
    });
  }

  private existing(plugin: string): { name: string; deployment: PluginDeployment } {
    const found = this.find(plugin);
    if (found !== undefined) return found;
    throw pluginNotFound(plugin, this.names);
  }

  private rolloutOf(name: string): RememberedRollout {
    return new RememberedRollout(name, this.options.file);
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

/** Whether a drop-in folder can be read: a missing drive does not remove its plugins. */
function canBeListed(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
