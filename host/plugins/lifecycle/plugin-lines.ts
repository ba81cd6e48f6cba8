/** The lines of all plugins, fed with what lies in the drop-in folders and with what is remembered. */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { LivePlugin } from "@slipway/sdk/runtime/host";
import type { Place } from "../intake/place.js";
import type { StateRecord } from "../plugin-state.js";
import type { Release } from "../releases.js";
import { keyOf } from "./candidate.js";
import type { KnownSnapshots } from "./known-snapshots.js";
import type { PlaceContent } from "./line-contents.js";
import type { MemoryFile } from "./memory-file.js";
import type { PluginLine } from "./plugin-line.js";
import type { PluginsMemory } from "./standing.js";

export interface LinesOptions {
  memory: MemoryFile;
  snapshots: KnownSnapshots;
  /** A line for a plugin that there was none of. */
  line(name: string): PluginLine;
}

export class PluginLines {
  private readonly lines = new Map<string, PluginLine>();
  /** By path: what was complete there last. It counts until something else is. */
  private readonly complete = new Map<string, NonNullable<PlaceContent["current"]>>();

  constructor(private readonly options: LinesOptions) {}

  get all(): PluginLine[] {
    return [...this.lines.values()];
  }

  get names(): string[] {
    return [...this.lines.keys()];
  }

  /** By public name, or by an alias of what runs or lies in a place. */
  find(name: string): { name: string; line: PluginLine } | undefined {
    const exact = this.lines.get(name);
    if (exact !== undefined) return { name, line: exact };
    const found = [...this.lines].find(([, line]) => line.aliases.includes(name));
    return found && { name: found[0], line: found[1] };
  }

  /** What answers under a release. */
  serving(release: string): LivePlugin[] {
    return this.all.flatMap((line) => line.serving(release)?.plugin ?? []);
  }

  /** What lies in the places, and what the releases ask for, from now on. Resolves when it is in force. */
  async update(places: readonly Place[], releases: readonly Release[]): Promise<void> {
    this.noteComplete(places);
    this.forgetGone(places);
    const contents = this.contentsByName(places);
    for (const name of contents.keys())
      if (!this.lines.has(name)) this.lines.set(name, this.options.line(name));
    await Promise.all([...this.lines].map(([name, line]) => line.update(contents.get(name) ?? [], releases)));
  }

  /** Of what is complete in the places. */
  get hashes(): string[] {
    return [...this.complete.values()].map(({ snapshot }) => snapshot.hash);
  }

  /** What is to be said of a place: of the version that runs for it, when that is what lies there. */
  shown({ path, snapshot }: Place): StateRecord | undefined {
    if (snapshot === undefined) return undefined;
    const key = keyOf({ snapshot, place: path });
    const found = this.lines.get(snapshot.name)?.all.find(({ candidate }) => keyOf(candidate) === key);
    return found?.candidate.record;
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((line) => line.stop()));
  }

  private noteComplete(places: readonly Place[]): void {
    for (const path of this.complete.keys())
      if (!places.some((place) => place.path === path)) this.complete.delete(path);
    for (const { path, snapshot, record } of places) {
      if (snapshot === undefined) continue;
      this.complete.set(path, { snapshot, record });
      this.options.snapshots.add(snapshot);
    }
  }

  /** What was taken away does not come back when something else comes to its place. */
  private forgetGone(places: readonly Place[]): void {
    const { memory } = this.options;
    const there = new Set(places.map(({ path }) => path));
    const gone = Object.keys(memory.current.places).filter(
      (path) => !there.has(path) && canBeListed(dirname(path)),
    );
    if (gone.length === 0) return;
    const kept = (remembered: PluginsMemory["places"]): PluginsMemory["places"] =>
      Object.fromEntries(Object.entries(remembered).filter(([path]) => !gone.includes(path)));
    memory
      .update((all) => ({ ...all, places: kept(all.places) }))
      // Why is in the log, and the next change tries again.
      .catch(() => undefined);
  }

  private contentsByName(places: readonly Place[]): Map<string, PlaceContent[]> {
    const contents = new Map<string, PlaceContent[]>();
    const add = (name: string, content: PlaceContent): void => {
      contents.set(name, [...(contents.get(name) ?? []), content]);
    };
    const { memory, snapshots } = this.options;
    const remembered = memory.current.places;
    for (const { path } of places) {
      const before = remembered[path];
      const current = this.complete.get(path);
      const name = current?.snapshot.name ?? before?.name;
      if (name === undefined) continue;
      const fallback = before?.name === name ? snapshots.find(before.hash) : undefined;
      add(name, { path, current, fallback });
    }
    for (const [path, { name, hash }] of Object.entries(remembered)) {
      // Its folder is away, or it would have been forgotten.
      if (places.some((place) => place.path === path)) continue;
      add(name, { path, current: undefined, fallback: snapshots.find(hash) });
    }
    return contents;
  }
}

/** A drop-in folder that is away, such as a drive, takes nothing with it. */
function canBeListed(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
