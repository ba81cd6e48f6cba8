/** The drop-in folders: what in them may be a plugin. */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import { archiveFormat } from "../../system/archives/archive-format.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { isSystemError } from "../plugin-files.js";
import { PluginSource, type SourceOptions, type SourceScan } from "./plugin-source.js";
import { identityOf, type SourceKind } from "./source-content.js";

/** An entry of a drop-in folder that may be a plugin. */
interface FoundSource {
  /** Absolute; symbolic links are not resolved. */
  path: string;
  kind: SourceKind;
}

/** Their bytes say which format it is, and whether that is read. */
const archiveName = /\.(?:tgz|gz|tar|zip|txz|xz|tbz2?|bz2|tzst|zst|7z|rar|lz|lz4|tar\.z)$/i;

const codeName = /\.[cm]?[jt]sx?$/i;
const otherCode = /\.(?:d\.[cm]?ts|config\.[cm]?[jt]s)$/i;

/** The sources in a drop-in folder, sorted by name. Rejects when the folder cannot be read. */
export async function discoverSources(folder: string): Promise<FoundSource[]> {
  const found: FoundSource[] = [];
  for (const member of (await readdir(folder, { withFileTypes: true })).sort(byName)) {
    if (isIgnored(member.name) || member.name === "node_modules") continue;
    const path = join(folder, member.name);
    const kind = await kindOf(path, member);
    if (kind === "folder" || kind === "lost") found.push({ path, kind });
    else if (kind === "file" && (await isArchive(path, member.name))) found.push({ path, kind: "archive" });
    else if (kind === "file" && codeName.test(member.name) && !otherCode.test(member.name))
      found.push({ path, kind: "code" });
  }
  return found;
}

/** A name without an ending, or with one like that of "desks-1.0.0", says nothing: the bytes do. */
async function isArchive(path: string, name: string): Promise<boolean> {
  if (archiveName.test(name)) return true;
  if (!/^[^.]+$|\.\d+$/.test(name)) return false;
  return await archiveFormat(path).then(
    () => true,
    () => false,
  );
}

/** Follows symbolic links. */
async function kindOf(path: string, member: Dirent): Promise<"folder" | "file" | "lost" | undefined> {
  const kind = member.isSymbolicLink() ? await stat(path).catch(() => undefined) : member;
  if (kind === undefined) return "lost";
  if (kind.isDirectory()) return "folder";
  return kind.isFile() ? "file" : undefined;
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}

/** Options for the scan of a folder. */
interface FolderScan extends SourceScan {
  /** Paths of events, without symbolic links. */
  events: readonly string[];
}

/** Sources scanned concurrently. */
const parallel = 4;

/** One drop-in folder and its sources; it may be on a removable drive. */
export class DropInFolder {
  private readonly kept = new Map<string, PluginSource>();
  /** The folder without symbolic links, and its identity; undefined while it cannot be read. */
  private found: { target: string; identity: string } | undefined;
  /** Device of the file system on which the sources were found. */
  private device: bigint | undefined;
  private problem: string | undefined;

  constructor(
    private readonly path: string,
    private readonly options: SourceOptions,
  ) {}

  /** Sorted by name. */
  sources(): PluginSource[] {
    return [...this.kept.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Scans the folder. While it cannot be read, all its sources stay. */
  async scan(how: FolderScan): Promise<void> {
    const listed = await this.list();
    if (listed === undefined) {
      for (const source of this.kept.values()) source.markUnreadable();
      return;
    }
    await mapConcurrent(listed, parallel, (found) => this.lookAt(found, how));
    this.dropMissing(new Set(listed.map(({ path }) => path)));
  }

  /** The folders to watch, by path without symbolic links, with their identity. */
  *watched(): Generator<[path: string, identity: string]> {
    if (this.found === undefined) return;
    yield [this.found.target, this.found.identity];
    for (const { fingerprint, isFolder } of this.kept.values()) {
      if (fingerprint !== undefined && isFolder) yield [fingerprint.target, fingerprint.identity];
    }
  }

  private async lookAt(
    { path, kind }: FoundSource,
    { full, requested, starting, events }: FolderScan,
  ): Promise<void> {
    const known = this.kept.get(path);
    const source = known ?? this.add(path);
    const pending = known === undefined || source.nextScan() < Number.POSITIVE_INFINITY;
    if (full || pending || events.some((event) => this.isAt(event, source))) {
      await source.scan(kind, { full, requested, starting: starting && known === undefined });
    }
  }

  private add(path: string): PluginSource {
    const source = new PluginSource(path, this.options);
    this.kept.set(path, source);
    this.options.changed();
    return source;
  }

  private dropMissing(there: ReadonlySet<string>): void {
    for (const [path, source] of this.kept) {
      if (there.has(path)) continue;
      source.markMissing();
      if (!source.isRemoved()) continue;
      source.end();
      this.kept.delete(path);
      this.options.log.info("A plugin was removed", { place: path });
      this.options.changed();
    }
  }

  /** Whether an event concerns a source: its name in this folder, or its content. */
  private isAt(event: string, { path, fingerprint }: PluginSource): boolean {
    const name = this.found === undefined ? path : join(this.found.target, basename(path));
    const target = fingerprint?.target ?? name;
    return event === name || event === target || event.startsWith(target + sep);
  }

  /** The current sources; undefined when the folder cannot be read. */
  private async list(): Promise<FoundSource[] | undefined> {
    try {
      const target = await realpath(this.path);
      const stats = await stat(target, { bigint: true });
      const sources = await discoverSources(this.path);
      // The mount point of an unmounted drive is an empty folder.
      if (sources.length === 0 && this.kept.size > 0 && this.device !== stats.dev) {
        throw new Error("It is empty and on a different drive than before.");
      }
      this.device = stats.dev;
      this.found = { target, identity: identityOf(stats) };
      this.recover();
      return sources;
    } catch (error) {
      this.found = undefined;
      this.complain(error);
      return undefined;
    }
  }

  private complain(error: unknown): void {
    // Several operations may fail for the same reason.
    const problem = isSystemError(error) ? error.code : String(error);
    if (problem === this.problem) return;
    this.problem = problem;
    this.options.log.warn("A plugin folder cannot be read; its plugins stay as they are.", {
      folder: this.path,
      error,
    });
  }

  private recover(): void {
    if (this.problem === undefined) return;
    this.problem = undefined;
    this.options.log.info("A plugin folder can be read again.", { folder: this.path });
  }
}
