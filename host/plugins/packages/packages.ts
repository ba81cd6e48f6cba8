/**
 * Packages of plugins: folders and archives as their authors give them.
 *
 * Goes in: a folder or an archive, the limits of the host for archives, and the keys that it trusts. Comes out: the
 * manifest, the default configuration, the assets, the code as one bundle, and who signed all of that. Also makes
 * packages: `packPlugin`. Faults of an author are `Rejection`s with the reason.
 *
 * Owns: the formats of package.json and of the list of files (integrity.json), and the folders with the content of
 * archives. Knows neither drop-in folders nor what runs. A host and `slipway plugin check` use the same methods.
 */
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { ArchiveEntry } from "../../system/archives/archive-entry.js";
import { type ArchiveLimits, archiveFiles, shownBytes } from "../../system/archives/archive-files.js";
import { type PackedFile, writeArchive } from "../../system/archives/write-archive.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { makeFolder, syncFolder, unfinished } from "../../system/durable-files.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { hashFile, largestDescription, readPluginFile, sha256 } from "../plugin-files.js";
import { integrityFile, readIntegrity } from "./integrity.js";
import { type Manifest, manifestName, parseManifest } from "./manifest.js";

export { type Bundle, type BundleChoices, bundleFormat, endBundler } from "./bundle.js";
export { type Completeness, completeness, makeKey } from "./integrity.js";
export { Manifest, type StartRequest, sdkMismatch } from "./manifest.js";
export { archiveName, packPlugin } from "./pack-plugin.js";
export { copyAssets, type Origin, PluginPackage } from "./plugin-package.js";

/** Files held in memory concurrently. */
const parallel = 2;

/** The contents of archives and the private copies of signed plugins, below one folder. */
export class PackageFolders {
  /** Folders by the paths of their archives. */
  private readonly unpacked = new Map<string, string>();
  private unpacking = 0;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly root: string,
    private readonly archives: PluginsConfiguration["archives"],
  ) {}

  /** Unpacks a complete archive; returns the folder, whose name is the SHA-256 of the archive, hexadecimal. */
  async unpack(archive: string): Promise<string> {
    // Existing folders may be under removal.
    await this.sweeping;
    this.unpacking += 1;
    try {
      const folder = await unpackedFolder(archive, this.root, archiveLimits(this.archives));
      this.unpacked.set(archive, folder);
      return folder;
    } finally {
      this.unpacking -= 1;
    }
  }

  /** Whether a folder has the content of an archive. */
  hasUnpacked(folder: string): boolean {
    return dirname(folder) === this.root;
  }

  /**
   * Passes a signed plugin to `use` as a private copy with exactly the files of its list, so that other files and later
   * changes have no effect. Unsigned plugins are used in place. Throws a `Rejection` when a file does not match the list,
   * and when the files exceed the limit for archives in total.
   */
  async withSignedCopy<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
    const integrity = await readIntegrity(folder);
    if (integrity?.signature === undefined) return await use(folder);
    const most = archiveLimits(this.archives).bytes;
    const files = Object.entries(integrity.files);
    const bytes = files.reduce((sum, [, { size }]) => sum + size, 0);
    if (bytes > most) throw new Rejection(`its files have more than ${Math.floor(most / 1024 / 1024)} MB`);
    return await withPassingFolder(this.root, async (copy) => {
      await mapConcurrent(files, parallel, async ([path, { size, sha256: hash }]) => {
        const content = await readPluginFile(folder, path, size);
        if (sha256(content) !== hash) throw new Rejection(`${path} does not match ${integrityFile}`);
        await mkdir(dirname(join(copy, path)), { recursive: true });
        await writeFile(join(copy, path), content, { flag: "wx" });
      });
      await writeFile(join(copy, integrityFile), JSON.stringify(integrity), { flag: "wx" });
      return await use(copy);
    });
  }

  /** Removes the contents of all archives but these. Returns the folders that stay. */
  async sweep(archives: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    for (const archive of this.unpacked.keys()) if (!archives.has(archive)) this.unpacked.delete(archive);
    const kept = new Set(this.unpacked.values());
    // An archive that is being unpacked is not in the map yet.
    if (this.unpacking > 0) return kept;
    const removing = removeUnpackedExcept(this.root, kept);
    this.sweeping = removing.catch(() => undefined);
    await removing;
    return kept;
  }
}

/** Converts the limits of a configuration, in megabytes, to bytes. */
export function archiveLimits({ bytes, files }: PluginsConfiguration["archives"]): ArchiveLimits {
  return { bytes: bytes * 1024 * 1024, files };
}

/** Throws a `Rejection` for an archive that exceeds the size limit. */
async function requireArchiveSize(file: string, { bytes }: ArchiveLimits): Promise<void> {
  if ((await stat(file)).size > bytes) throw new Rejection(`the archive is larger than ${shownBytes(bytes)}`);
}

/** Writes the entries of one archive. */
class PluginFiles {
  private readonly folders = new Set<string>();

  constructor(private readonly folder: string) {
    this.folders.add(folder);
  }

  async take(entry: ArchiveEntry): Promise<void> {
    const place = join(this.folder, entry.path);
    await this.makeFolder(entry.kind === "folder" ? place : dirname(place));
    if (entry.kind === "folder") return;
    await writeEntry(place, entry);
  }

  /** Syncs the folders. */
  async finish(): Promise<void> {
    for (const folder of this.folders) await syncFolder(folder);
  }

  private async makeFolder(folder: string): Promise<void> {
    if (this.folders.has(folder)) return;
    await this.makeFolder(dirname(folder));
    await mkdir(folder);
    this.folders.add(folder);
  }
}

async function writeEntry(place: string, { content, executable }: ArchiveEntry): Promise<void> {
  const handle = await open(place, "wx");
  try {
    await writeFile(handle, content);
    await handle.chmod(executable ? 0o755 : 0o644);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The folder below `root` with the content of an archive, one per content, without a folder on top of the archive; created on
 * demand, once all of it is on disk. Its name is the SHA-256 of the archive, hexadecimal. Throws a `Rejection` that names the
 * invalid entry.
 */
export async function unpackedFolder(archive: string, root: string, limits: ArchiveLimits): Promise<string> {
  await requireArchiveSize(archive, limits);
  const known = join(root, await hashFile(archive));
  if (await exists(known)) return known;
  return await withPassingFolder(root, async (passing) => {
    // The archive is read several times and may change; the hash is that of what is unpacked.
    const copy = join(passing, "archive");
    const folder = join(passing, "content");
    await copyFile(archive, copy);
    await requireArchiveSize(copy, limits);
    const place = join(root, await hashFile(copy));
    await mkdir(folder);
    const writer = new PluginFiles(folder);
    for await (const entry of archiveFiles(copy, limits, manifestName)) await writer.take(entry);
    await writer.finish();
    try {
      await rename(folder, place);
    } catch (error) {
      if (!(await exists(place))) throw error;
    }
    await syncFolder(root);
    return place;
  });
}

/** Removes other folders below `root`; `keep` are folders returned by `unpackedFolder`. */
export async function removeUnpackedExcept(root: string, keep: ReadonlySet<string>): Promise<void> {
  const names = await readdir(root).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  for (const name of names) {
    const folder = join(root, name);
    if (!keep.has(folder) && !underWay.has(folder)) await rm(folder, { recursive: true, force: true });
  }
}

async function exists(folder: string): Promise<boolean> {
  return await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Creates a temporary folder below `root` for the duration of `use`, which moves the results that stay. */
async function withPassingFolder<T>(root: string, use: (folder: string) => Promise<T>): Promise<T> {
  await makeFolder(root);
  // A random name, because a killed host may have had the same process id.
  const folder = join(root, `.passing-${randomUUID()}${unfinished}`);
  underWay.add(folder);
  try {
    await mkdir(folder);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    underWay.delete(folder);
  }
}

/** Temporary folders in use. */
const underWay = new Set<string>();

/**
 * Packs a folder into an archive: the files with these hashes, and those of its list. `expected`: SHA-256, hexadecimal, by
 * path with "/". Throws a `Rejection` when a file has changed.
 */
export async function packUnchanged(folder: string, expected: ReadonlyMap<string, string>): Promise<Buffer> {
  const integrity = await readIntegrity(folder);
  const listed = Object.entries(integrity?.files ?? {}).map(
    ([path, { sha256: hash }]) => [path, hash] as const,
  );
  const files: PackedFile[] = [];
  for (const [path, hash] of new Map([...expected, ...listed])) {
    const content = await readFile(join(folder, path)).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
    if (content === undefined || sha256(content) !== hash)
      throw new Rejection(`${path} has changed since the plugin was staged`);
    files.push({ path, content });
  }
  if (integrity !== undefined)
    files.push({ path: integrityFile, content: await readFile(join(folder, integrityFile)) });
  return writeArchive("package", files);
}

/**
 * Reads the manifest in a plugin's archive. Reads every byte, writes nothing. Throws a `Rejection` for an archive or a
 * manifest that a host would refuse.
 */
export async function manifestOfArchive(
  file: string,
  limits: ArchiveLimits,
  sdkVersion: string,
): Promise<Manifest> {
  await requireArchiveSize(file, limits);
  let manifest = Buffer.alloc(0);
  for await (const { path, kind, size, content } of archiveFiles(file, limits, manifestName)) {
    const isManifest = kind === "file" && path === manifestName;
    if (isManifest && size > largestDescription)
      throw new Rejection(`${manifestName} is larger than ${shownBytes(largestDescription)}`);
    const pieces: Buffer[] = [];
    for await (const piece of content) if (isManifest) pieces.push(piece);
    if (isManifest) manifest = Buffer.concat(pieces);
  }
  return parseManifest(manifest, sdkVersion);
}
