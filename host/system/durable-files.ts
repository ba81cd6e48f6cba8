/**
 * Files that are on disk when their promise resolves: written beside their place, synced, renamed, folder synced. By default only
 * their owner may read them, because most contain data of clients.
 */
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./errors.js";

/** Ending of incomplete files, which are removed at the next start. */
export const unfinished = ".part";

/** Mode of files that only their owner may read. */
export const privateFile = 0o600;
/** The same for folders. */
export const privateFolder = 0o700;
/** Mode of files that a user asked for; the umask applies. */
export const commonFile = 0o666;

/** Mode and owner of a new file. */
interface FileRights {
  mode?: number | undefined;
  owner?: { uid: number; gid: number } | undefined;
}

/** Writes a new file that is not in use yet; its folder still has to be synced. */
export async function writeSynced(
  file: string,
  content: Uint8Array | string,
  { mode = privateFile, owner }: FileRights = {},
): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    // Not by its name: in a folder of another user, that could be a link to a file of root by now.
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a file in one step: a reader sees the old content or the new one, also after a crash. */
export async function replaceSynced(
  file: string,
  content: Uint8Array | string,
  rights: FileRights = {},
): Promise<void> {
  const beside = `${file}.${process.pid}-${sequence()}${unfinished}`;
  try {
    await writeSynced(beside, content, rights);
    await rename(beside, file);
  } catch (error) {
    // On a full disk, an incomplete file takes the space that the next attempt needs.
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Makes the names in a folder last: after a rename, a creation or a removal. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    await handle.close();
  }
}

/** Moves a broken file out of the way, for people to look at. Returns its new path. */
export async function setAside(file: string): Promise<string> {
  const aside = `${file}.broken-${new Date().toISOString().replaceAll(":", "-")}`;
  await rename(file, aside);
  await syncFolder(dirname(file));
  return aside;
}

/** Creates a folder that only its owner may read, unless it exists. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: privateFolder });
}

let written = 0;

function sequence(): number {
  written += 1;
  return written;
}

/** Some file systems cannot sync a folder; they order names by themselves. */
function isUnsupported(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EINVAL" || code === "EPERM" || code === "EISDIR";
}

/** Whether the path exists, also as a broken link. */
export async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
