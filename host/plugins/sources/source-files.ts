import { createHash } from "node:crypto";
import type { BigIntStats, Dirent } from "node:fs";
import { lstat, readdir, readlink, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import { archiveFormat } from "../../system/archives/archive-format.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { isSystemError } from "../plugin-files.js";

/** An entry of a drop-in folder that may be a plugin. */
export interface FoundSource {
  /** Absolute; symbolic links are not resolved. */
  path: string;
  /** `code`: a single file, which is no plugin and may be taken for one; `lost`: a broken symbolic link. */
  kind: "folder" | "archive" | "code" | "lost";
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

/** Metadata of a source, without the content of its files. */
export interface Fingerprint {
  /** Changes when a relevant file is written, added, removed or replaced. */
  value: string;
  /** Time of the last change, by the clock of the file system, in milliseconds since the epoch. */
  changed: number;
  /** Number of files and folders; at most one above the limit. */
  count: number;
  /** The first member that is neither a file nor a folder, nor a link to one: opening it could block. */
  strange: string | undefined;
  /** Its path without symbolic links. */
  target: string;
  /** Distinguishes a folder from another one under the same name. */
  identity: string;
}

/** Concurrent calls; the process has few threads for them. */
const parallel = 8;

/**
 * Reads the metadata of an archive, or of all files of a folder. Does not follow links to other folders. Stops above
 * `most` files and folders. Rejects when something cannot be read.
 */
export async function takeFingerprint(source: string, most: number): Promise<Fingerprint> {
  const target = await realpath(source);
  const own = await stat(target, { bigint: true });
  const walk = new Walk(target, most);
  if (own.isDirectory()) await walk.folder("", own);
  else walk.note("", own);
  return { ...walk.result(), target, identity: identityOf(own) };
}

/** The identity of a folder, as in `Fingerprint`. */
export function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

class Walk {
  private readonly hash = createHash("sha256");
  private changed = 0;
  private count = 0;
  private strange: string | undefined;

  constructor(
    private readonly root: string,
    private readonly most: number,
  ) {
    this.hash.update(root);
  }

  result(): Pick<Fingerprint, "value" | "changed" | "count" | "strange"> {
    const { changed, count, strange } = this;
    return { value: this.hash.digest("hex"), changed, count, strange };
  }

  /** Depth first, sorted by name, so that the same content gives the same value. */
  async folder(path: string, own: BigIntStats): Promise<void> {
    this.noteTime(own);
    const members = await unlessGone(readdir(join(this.root, path)));
    if (members === undefined) this.hash.update("\0gone");
    const names = (members ?? []).filter((name) => !isIgnored(name)).sort();
    const counted = names.slice(0, this.most + 1 - this.count);
    const found = await mapConcurrent(counted, parallel, async (name) => {
      const inside = path === "" ? name : `${path}/${name}`;
      return { inside, stats: await unlessGone(lstat(join(this.root, inside), { bigint: true })) };
    });
    for (const { inside, stats } of found) {
      if (this.count > this.most) return;
      this.count++;
      if (stats === undefined) this.hash.update(`\n${inside}\0gone`);
      else if (stats.isSymbolicLink()) await this.link(inside, stats);
      else if (stats.isDirectory()) {
        this.hash.update(`\n${inside}/`);
        await this.folder(inside, stats);
      } else {
        this.note(inside, stats);
        if (!stats.isFile()) this.strange ??= inside;
      }
    }
  }

  note(path: string, stats: BigIntStats): void {
    this.noteTime(stats);
    this.hash.update(`\n${path}\0${stats.size}.${stats.mtimeNs}.${stats.ctimeNs}.${identityOf(stats)}`);
  }

  private async link(path: string, own: BigIntStats): Promise<void> {
    const location = join(this.root, path);
    this.note(`${path}\0${await readlink(location).catch(() => "gone")}`, own);
    const target = await stat(location, { bigint: true }).catch(() => undefined);
    if (target?.isFile()) this.note("", target);
    else if (target?.isDirectory() === false) this.strange ??= path;
    else this.hash.update(`\0${target === undefined ? "nowhere" : identityOf(target)}`);
  }

  private noteTime({ ctimeMs }: BigIntStats): void {
    this.changed = Math.max(this.changed, Number(ctimeMs));
  }
}

/** Undefined for a member removed since its folder was read. */
async function unlessGone<T>(result: Promise<T>): Promise<T | undefined> {
  return await result.catch((error: unknown) => {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw error;
  });
}
