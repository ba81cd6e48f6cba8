import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { ArchiveEntry } from "../../system/archives/archive-entries.js";
import { type ArchiveLimits, archiveFiles, shownBytes } from "../../system/archives/archive-files.js";
import { syncFolder } from "../../system/durable-files.js";
import { Rejection } from "../../system/errors.js";
import { withPassingFolder } from "./unpacked-folders.js";

/** The limits of a configuration, which counts megabytes. */
export function archiveLimits({ bytes, files }: PluginsConfiguration["archives"]): ArchiveLimits {
  return { bytes: bytes * 1024 * 1024, files };
}

/**
 * Unpacks a plugin's archive, as `npm pack` makes them, into the folder `target`, which must not exist; its one top
 * folder is stripped. The folder is there when all of it is on disk. Gives the SHA-256 of the archive, hexadecimal. Throws a
 * `Rejection` that names the entry at fault.
 */
export async function unpackArchive(file: string, target: string, limits: ArchiveLimits): Promise<string> {
  return await withUnpacked(file, dirname(target), limits, async (folder, sha256) => {
    await rename(folder, target);
    return sha256;
  });
}

/** Throws a `Rejection` for an archive that is larger than what it may hold, so that nobody reads all of it. */
export async function requireArchiveSize(file: string, { bytes }: ArchiveLimits): Promise<void> {
  if ((await stat(file)).size > bytes) throw new Rejection(`the archive is larger than ${shownBytes(bytes)}`);
}

/** Said of an archive that holds no plugin. */
export function noManifest(): Rejection {
  return new Rejection("the archive has no package.json in its top folder, as `npm pack` would put it there");
}

/** Unpacks into a new folder below `root` that `use` moves to its place; what it leaves is removed. */
export async function withUnpacked<T>(
  file: string,
  root: string,
  limits: ArchiveLimits,
  use: (folder: string, sha256: string) => Promise<T>,
): Promise<T> {
  return await withPassingFolder(root, async (folder) => {
    const result = await use(folder, await unpackInto(file, folder, limits));
    await syncFolder(root);
    return result;
  });
}

async function unpackInto(file: string, folder: string, limits: ArchiveLimits): Promise<string> {
  await requireArchiveSize(file, limits);
  const hash = createHash("sha256");
  const source = createReadStream(file);
  source.on("data", (chunk) => hash.update(chunk));
  const writer = new PluginFiles(folder);
  for await (const entry of archiveFiles(source, limits)) await writer.take(entry);
  await writer.finish();
  return hash.digest("hex");
}

/** Writes the entries of one archive. */
class PluginFiles {
  private readonly folders = new Set<string>();
  private hasPackage = false;

  constructor(private readonly folder: string) {
    this.folders.add(folder);
  }

  async take(entry: ArchiveEntry): Promise<void> {
    const place = join(this.folder, entry.path);
    await this.makeFolder(entry.kind === "folder" ? place : dirname(place));
    if (entry.kind === "folder") return;
    await writeEntry(place, entry);
    if (entry.path === "package.json") this.hasPackage = true;
  }

  /** Checks the whole, and makes the names last. */
  async finish(): Promise<void> {
    if (!this.hasPackage) throw noManifest();
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
