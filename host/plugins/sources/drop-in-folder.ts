import { realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { eachInTurn } from "../../system/each-in-turn.js";
import { discoverPlaces, type FoundPlace } from "../packages/discovery.js";
import { isSystemError } from "../packages/plugin-files.js";
import { identityOf } from "./fingerprint.js";
import { KeptPlace } from "./plugin-source.js";
import type { FolderLook, IntakeOptions } from "./source-state.js";

/** Places that are looked at at one time. */
const parallel = 4;

/** One drop-in folder, which may be on a drive that comes and goes, with the places in it. */
export class DropInFolder {
  private readonly kept = new Map<string, KeptPlace>();
  /** The folder without symbolic links, and what tells it from another one; undefined while it cannot be read. */
  private found: { target: string; identity: string } | undefined;
  /** Of the file system that its places were seen on. */
  private device: bigint | undefined;
  private problem: string | undefined;

  constructor(
    private readonly path: string,
    private readonly options: IntakeOptions,
  ) {}

  /** In the order of the names. */
  places(): KeptPlace[] {
    return [...this.kept.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Sees what lies there. While the folder cannot be read, all of its places stay. */
  async look(how: FolderLook): Promise<void> {
    const listed = await this.list();
    if (listed === undefined) {
      for (const place of this.kept.values()) place.lose();
      return;
    }
    await eachInTurn(listed, parallel, (found) => this.lookAt(found, how));
    this.dropMissing(new Set(listed.map(({ path }) => path)));
  }

  /** The folders to be watched, by their paths without symbolic links, with what tells them from others. */
  *watched(): Generator<[path: string, identity: string]> {
    if (this.found === undefined) return;
    yield [this.found.target, this.found.identity];
    for (const { fingerprint, isFolder } of this.kept.values()) {
      if (fingerprint !== undefined && isFolder) yield [fingerprint.target, fingerprint.identity];
    }
  }

  private async lookAt(
    { path, kind }: FoundPlace,
    { full, asked, starting, woken }: FolderLook,
  ): Promise<void> {
    const known = this.kept.get(path);
    const place = known ?? this.add(path);
    const pending = known === undefined || place.nextLook() < Number.POSITIVE_INFINITY;
    if (full || pending || woken.some((event) => this.isAt(event, place))) {
      await place.look(kind, { full, asked, starting: starting && known === undefined });
    }
  }

  private add(path: string): KeptPlace {
    const place = new KeptPlace(path, this.options);
    this.kept.set(path, place);
    this.options.changed();
    return place;
  }

  private dropMissing(there: ReadonlySet<string>): void {
    for (const [path, place] of this.kept) {
      if (there.has(path)) continue;
      place.miss();
      if (!place.isGone()) continue;
      place.end();
      this.kept.delete(path);
      this.options.log.info("A plugin was taken away", { place: path });
      this.options.changed();
    }
  }

  /** Whether an event is about a place: about its name in this folder, or about what lies inside. */
  private isAt(event: string, { path, fingerprint }: KeptPlace): boolean {
    const name = this.found === undefined ? path : join(this.found.target, basename(path));
    const target = fingerprint?.target ?? name;
    return event === name || event === target || event.startsWith(target + sep);
  }

  /** What lies there now; undefined when nobody can know. */
  private async list(): Promise<FoundPlace[] | undefined> {
    try {
      const target = await realpath(this.path);
      const stats = await stat(target, { bigint: true });
      const places = await discoverPlaces(this.path);
      // What is left of a drive that is not mounted is an empty folder of the drive below.
      if (places.length === 0 && this.kept.size > 0 && this.device !== stats.dev) {
        throw new Error("It is empty, and on another drive than before.");
      }
      this.device = stats.dev;
      this.found = { target, identity: identityOf(stats) };
      this.recover();
      return places;
    } catch (error) {
      this.found = undefined;
      this.complain(error);
      return undefined;
    }
  }

  private complain(error: unknown): void {
    // The same trouble is met by one operation or another.
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
