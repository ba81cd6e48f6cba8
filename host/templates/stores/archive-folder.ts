/** Template archives on disk, by hash. */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, replaceSynced, unfinished } from "../../system/durable-files.js";
import { unlessGone } from "../template-folder.js";

const ending = ".tgz";

/** Limits the total size in bytes; removes the least recently used archives first. */
export class ArchiveFolder {
  /** Bytes by hash, least recently used first. */
  private readonly sizes = new Map<string, number>();
  private bytes = 0;

  constructor(
    private readonly folder: string,
    private readonly mostBytes: number,
  ) {}

  /** Finds the existing archives and removes unfinished files. */
  async open(): Promise<void> {
    await makeFolder(this.folder);
    const found: { sha256: string; bytes: number; used: number }[] = [];
    for (const name of await readdir(this.folder)) {
      const file = join(this.folder, name);
      if (name.endsWith(unfinished)) await rm(file, { force: true });
      const [, sha256] = /^([0-9a-f]{64})\.tgz$/.exec(name) ?? [];
      if (sha256 === undefined) continue;
      const { size, mtimeMs } = await stat(file);
      found.push({ sha256, bytes: size, used: mtimeMs });
    }
    found.sort((one, other) => one.used - other.used);
    for (const { sha256, bytes } of found) this.note(sha256, bytes);
    await this.makeRoom();
  }

  has(sha256: string): boolean {
    return this.sizes.has(sha256);
  }

  /** Stores an archive; the caller has verified its hash. */
  async add(sha256: string, archive: Buffer): Promise<void> {
    await replaceSynced(this.fileOf(sha256), archive);
    this.note(sha256, archive.length);
    await this.makeRoom();
  }

  /** The archive; undefined when missing or damaged. */
  async read(sha256: string): Promise<Buffer | undefined> {
    if (!this.has(sha256)) return undefined;
    const content = await unlessGone(readFile(this.fileOf(sha256)));
    if (content === undefined || createHash("sha256").update(content).digest("hex") !== sha256) {
      await this.remove(sha256);
      return undefined;
    }
    this.note(sha256, content.length);
    const now = new Date();
    // Keeps the order over restarts; fails for an archive that was just removed.
    await utimes(this.fileOf(sha256), now, now).catch(() => undefined);
    return content;
  }

  private note(sha256: string, bytes: number): void {
    this.bytes += bytes - (this.sizes.get(sha256) ?? 0);
    this.sizes.delete(sha256);
    this.sizes.set(sha256, bytes);
  }

  private async makeRoom(): Promise<void> {
    for (const sha256 of this.sizes.keys()) {
      if (this.bytes <= this.mostBytes || this.sizes.size === 1) return;
      await this.remove(sha256);
    }
  }

  private async remove(sha256: string): Promise<void> {
    this.bytes -= this.sizes.get(sha256) ?? 0;
    this.sizes.delete(sha256);
    await rm(this.fileOf(sha256), { force: true });
  }

  private fileOf(sha256: string): string {
    return join(this.folder, `${sha256}${ending}`);
  }
}
