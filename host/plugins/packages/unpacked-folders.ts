import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ArchiveLimits } from "../../system/archives/archive-files.js";
import { makeFolder, unfinished } from "../../system/durable-files.js";
import { errorCode } from "../../system/errors.js";
import { requireArchiveSize, withUnpacked } from "./unpack-archive.js";

/**
 * The folder below `root` with the content of a plugin's archive: one for each content, made when it is not there yet.
 * Rejects as `unpackArchive` does.
 */
export async function unpackedFolder(archive: string, root: string, limits: ArchiveLimits): Promise<string> {
  await requireArchiveSize(archive, limits);
  const known = join(root, await hashFile(archive));
  if (await exists(known)) return known;
  return await withUnpacked(archive, root, limits, async (folder, sha256) => {
    // The archive may have changed meanwhile, so what was really read names the folder.
    const place = join(root, sha256);
    try {
      await rename(folder, place);
    } catch (error) {
      if (!(await exists(place))) throw error;
    }
    return place;
  });
}

/** Removes what else lies below `root`; `keep` are folders as `unpackedFolder` gave them. */
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

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

async function exists(folder: string): Promise<boolean> {
  return await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** A new folder below `root` for as long as `use` takes. What is to stay, `use` moves to its place. */
export async function withPassingFolder<T>(root: string, use: (folder: string) => Promise<T>): Promise<T> {
  await makeFolder(root);
  // A host that was killed may have had the same process id.
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

/** Whether somebody uses a folder right now. */
export function isUnderWay(folder: string): boolean {
  return underWay.has(folder);
}

const underWay = new Set<string>();
