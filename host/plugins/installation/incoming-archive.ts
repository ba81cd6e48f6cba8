/** Writes archives into a drop-in folder, hidden until they are complete. */
import { randomUUID } from "node:crypto";
import { link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import { archiveFormat } from "../../system/archives/archive-format.js";
import { isThere, syncFolder, unfinished } from "../../system/durable-files.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { conflict } from "../administration/administration.js";
import { archiveName, type Manifest } from "../packages/packages.js";

const prefix = ".adding-";

/** Milliseconds without a write after which a file counts as left by a killed host. */
const abandonedAfter = 3_600_000;

/** A new path in a drop-in folder that hosts ignore. */
export function incomingFile(folder: string): string {
  return join(folder, `${prefix}${randomUUID()}${unfinished}`);
}

/**
 * Lets `fill` write a hidden file in the folder, syncs the file and passes it to `use`, which may move it. Removes the
 * file afterwards.
 */
export async function withIncoming<T>(
  folder: string,
  fill: (file: string) => Promise<void>,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const file = incomingFile(folder);
  try {
    await removeAbandoned(folder);
    await fill(file);
    await sync(file);
    return await use(file);
  } finally {
    await rm(file, { force: true });
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((each) => each.startsWith(prefix) && each.endsWith(unfinished))) {
    const file = join(folder, name);
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandonedAfter) await rm(file, { force: true });
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Error codes of file systems without hard links. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

/**
 * Renames an archive in its folder to the name of its package and version, with the ending of its format; returns the new
 * path. Throws 409 `plugin-conflict` when the name is taken, even by a concurrent call, and a `Rejection` when it is not a
 * valid file name.
 */
export async function nameArchive(file: string, manifest: Manifest): Promise<string> {
  const name = archiveName(manifest, await archiveFormat(file));
  if (isIgnored(name)) throw new Rejection(`a package named "${manifest.name}" would be a hidden file`);
  const path = join(dirname(file), name);
  try {
    await giveName(file, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw taken(name);
    if (errorCode(error) === "ENAMETOOLONG")
      throw new Rejection("name and version of the package are too long for the name of a file");
    throw error;
  }
  await syncFolder(dirname(path));
  return path;
}

/** 409: the version is already present. */
export function taken(place: string): Error {
  return conflict(`${place} is already in the drop-in folder. Give changed content a new version number.`);
}

/** A rename would replace an existing file; a hard link never does. */
async function giveName(file: string, path: string): Promise<void> {
  try {
    await link(file, path);
    await rm(file);
  } catch (error) {
    if (!withoutLinks.has(errorCode(error) ?? "")) throw error;
    if (await isThere(path)) throw taken(basename(path));
    await rename(file, path);
  }
}
