/**
 * Files that are on disk when their promise ends: written beside their place, synced, renamed, folder synced. Only their owner may
 * read them, unless it is said otherwise: most hold data of clients.
 */
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./errors.js";

/** Ending of files that are not complete; what carries it after a start is swept. */
export const unfinished = ".part";

/** For what only its owner may read. */
export const privateFile = 0o600;
/** The same for folders. */
export const privateFolder = 0o700;
/** For what a person asked to have written; the umask takes from it as from other files. */
export const commonFile = 0o666;

/** Who may read a file, and whose it is from its beginning. */
interface FileRights {
  mode?: number | undefined;
  owner?: { uid: number; gid: number } | undefined;
}

/** Writes a new file whose name nobody reads yet; its folder still has to be synced. */
export async function writeSynced(
  file: string,
  content: Uint8Array | string,
  { mode = privateFile, owner }: FileRights = {},
): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    // Not by its name: in a folder of somebody else, that could be a link to a file of root by now.
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
    // On a full disk, what is half written takes the room that the next try needs.
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

/** Makes a folder that only its owner may look into, where there is none. */
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

/** Whether something has this path, links that lead nowhere included. */
export async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
