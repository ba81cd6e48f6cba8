import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage } from "../schema/errors.js";

/** Entries allowed in an empty folder: those of `git init`. */
const harmless = new Set([".git"]);

/**
 * Creates a folder with the content written by `fill`, or nothing at all: a staging folder is filled first. An existing
 * folder must be empty. Rejects with a human-readable error.
 */
export async function makeFolder(target: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const isThere = await isEmptyFolder(target);
  try {
    const made = isThere ? undefined : await mkdir(dirname(target), { recursive: true });
    await makeWhole(target, isThere, fill).catch(async (error: unknown) => {
      if (made !== undefined) await rm(made, { recursive: true, force: true });
      throw error;
    });
  } catch (error) {
    throw new Error(`Nothing was made: ${reason(error, target, isThere)}`, { cause: error });
  }
}

async function makeWhole(
  target: string,
  isThere: boolean,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  // Beside the target or in it, to be on the same disk; the target's own name may already have the maximum length.
  const stage = await mkdtemp(join(isThere ? target : dirname(target), ".slipway-plugin-"));
  try {
    const folder = join(stage, "new");
    await mkdir(folder);
    await fill(folder);
    if (!isThere) return await rename(folder, target);
    // The existing folder is kept, because it may be a working directory.
    for (const name of await readdir(folder)) await rename(join(folder, name), join(target, name));
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Whether the folder exists; throws if it is not empty or not a folder. */
async function isEmptyFolder(target: string): Promise<boolean> {
  const found = await stat(target).catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return undefined;
    throw new Error(`Nothing was made: ${reason(error, target)}`, { cause: error });
  });
  if (found === undefined) return false;
  if (!found.isDirectory()) throw new Error(`${target} is a file; name a folder that is not there yet.`);
  const names = (await readdir(target)).filter((name) => !harmless.has(name));
  if (names.length === 0) return true;
  throw new Error(`${target} is not empty; nothing is overwritten, name another folder.`);
}

function reason(error: unknown, target: string, isThere = false): string {
  if (isCode(error, "EACCES") || isCode(error, "EPERM") || isCode(error, "EROFS")) {
    return `this user may not write to ${isThere ? target : dirname(target)}.`;
  }
  if (isCode(error, "ENAMETOOLONG")) return `the name of ${target} is too long for this disk.`;
  if (isCode(error, "ENOTDIR") || isCode(error, "EEXIST")) return `a part of ${target} is a file.`;
  return errorMessage(error);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && Reflect.get(error, "code") === code;
}
