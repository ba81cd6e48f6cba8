import { link, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isThere, syncFolder } from "../../system/durable-files.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { conflict } from "../deployment/plugin-administration.js";
import { isIgnored } from "../packages/discovery.js";
import type { Manifest } from "../packages/manifest.js";
import { archiveName } from "../snapshots/pack-plugin.js";

/** What file systems say that have no second names for files. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

/**
 * Gives an archive the name of its package and version, in the folder where it lies; gives the new path. Throws 409
 * `plugin-conflict` when something has that name, also when it takes it in the same moment, and a `Rejection` when it is
 * no name for a file.
 */
export async function nameArchive(file: string, manifest: Manifest): Promise<string> {
  const name = archiveName(manifest);
  if (isIgnored(name)) throw new Rejection(`a package named "${manifest.name}" would be a hidden file`);
  const place = join(dirname(file), name);
  try {
    await giveName(file, place);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw taken(name);
    if (errorCode(error) === "ENAMETOOLONG")
      throw new Rejection("name and version of the package are too long for the name of a file");
    throw error;
  }
  await syncFolder(dirname(place));
  return place;
}

/** Said when a version is there already. */
export function taken(place: string): Error {
  return conflict(
    `${place} lies in the drop-in folder already; a version stays as it was dropped, so give a changed plugin a new one.`,
  );
}

/** A rename would replace what is there; a second name for the same file never does. */
async function giveName(file: string, place: string): Promise<void> {
  try {
    await link(file, place);
    await rm(file);
  } catch (error) {
    if (!withoutLinks.has(errorCode(error) ?? "")) throw error;
    if (await isThere(place)) throw taken(basename(place));
    await rename(file, place);
  }
}
