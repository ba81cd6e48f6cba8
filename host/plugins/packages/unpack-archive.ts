import { randomUUID } from "node:crypto";
import { copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { ArchiveEntry } from "../../system/archives/archive-entry.js";
import { type ArchiveLimits, archiveFiles, shownBytes } from "../../system/archives/archive-files.js";
import { makeFolder, syncFolder, unfinished } from "../../system/durable-files.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { hashFile } from "../plugin-files.js";
import { manifestName } from "./manifest.js";

/** Converts the limits of a configuration, in megabytes, to bytes. */
export function archiveLimits({ bytes, files }: PluginsConfiguration["archives"]): ArchiveLimits {
  return { bytes: bytes * 1024 * 1024, files };
}

/** Throws a `Rejection` for an archive that exceeds the size limit. */
export async function requireArchiveSize(file: string, { bytes }: ArchiveLimits): Promise<void> {
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
 * The folder below `root` with the content of a plugin's archive, one per content; created on demand. It is named by the
 * SHA-256 of the archive, hexadecimal, has no folder on top of the archive, and appears once all of it is on disk. Throws
 * a `Rejection` that names the invalid entry.
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
    if (!keep.has(folder) && !isUnderWay(folder)) await rm(folder, { recursive: true, force: true });
  }
}

async function exists(folder: string): Promise<boolean> {
  return await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Creates a temporary folder below `root` for the duration of `use`, which moves the results that stay. */
export async function withPassingFolder<T>(root: string, use: (folder: string) => Promise<T>): Promise<T> {
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

/** Whether a folder is in use. */
function isUnderWay(folder: string): boolean {
  return underWay.has(folder);
}

const underWay = new Set<string>();
