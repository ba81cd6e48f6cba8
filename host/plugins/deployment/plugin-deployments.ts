/** The deployments of all plugins, fed with the contents of the sources and the remembered state. */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { LivePlugin } from "@slipway/sdk/runtime/host";
import type { StateRecord } from "../plugin-state.js";
import type { Release } from "../releases.js";
import type { KnownSnapshots } from "../snapshots/known-snapshots.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { SourceState } from "../sources/plugin-source.js";
import { keyOf, type SourceContent } from "./candidates.js";
import type { PluginDeployment } from "./plugin-deployment.js";
import { earlierOf, type PluginsMemory, type RememberedSource } from "./rollout-state.js";
import type { StateFile } from "./state-file.js";

export interface DeploymentsOptions {
  file: StateFile;
  snapshots: KnownSnapshots;
  deployment(name: string): PluginDeployment;
  /** Called when contents lie in no folder any more; with their source hashes. */
  removed?: ((plugin: string, sources: readonly string[]) => void) | undefined;
}

export class PluginDeployments {
  private readonly deployments = new Map<string, PluginDeployment>();
  /** By path: the last complete content, in force until the next one is complete. */
  private readonly complete = new Map<string, NonNullable<SourceContent["current"]>>();

  constructor(private readonly options: DeploymentsOptions) {}

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

  /** A plugin that other hosts may have brought. */
  named(name: string): PluginDeployment {
    const deployment = this.deployments.get(name) ?? this.options.deployment(name);
    this.deployments.set(name, deployment);
    return deployment;
  }

  serving(release: string): LivePlugin[] {
    return this.all.flatMap((deployment) => deployment.serving(release)?.plugin ?? []);
  }

  /** The contents of the versions that serve a release. */
  snapshots(release: string): Snapshot[] {
    return this.all.flatMap((deployment) => deployment.serving(release)?.candidate.snapshot ?? []);
  }

  /** Sets the sources and the releases. Resolves when they are in force. */
  async update(sources: readonly SourceState[], releases: readonly Release[]): Promise<void> {
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

  /** Hashes of the complete contents of the sources. */
  get hashes(): string[] {
    return [...this.complete.values()].map(({ snapshot }) => snapshot.hash);
  }

  /** The record to show for a source: that of the running version if it runs the current content. */
  shown({ path, snapshot }: SourceState): StateRecord | undefined {
    if (snapshot === undefined) return undefined;
    const key = keyOf({ snapshot, source: path });
    const found = this.deployments.get(snapshot.name)?.all.find(({ candidate }) => keyOf(candidate) === key);
    return found?.candidate.record;
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((deployment) => deployment.stop()));
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
      this.options.removed?.(source.name, earlierOf(source, source.name).map(sourceOf));
    }
    const kept = (remembered: PluginsMemory["places"]): PluginsMemory["places"] =>
      Object.fromEntries(Object.entries(remembered).filter(([path]) => !gone.includes(path)));
    file
      .update((all) => ({ ...all, places: kept(all.places) }))
      // The failure is logged, and the next change tries again.
      .catch(() => undefined);
  }

  private contentsByName(sources: readonly SourceState[]): Map<string, SourceContent[]> {
    const contents = new Map<string, SourceContent[]>();
    const add = (name: string, content: SourceContent): void => {
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
