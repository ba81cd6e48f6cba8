/** The folder of all run-time files, and the lock of the host that owns it. */
import { constants } from "node:fs";
import { access, chmod, mkdir, readdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import { makeFolder, privateFolder } from "./durable-files.js";
import { errorCode } from "./errors.js";
import { lockOwner, takeLock } from "./process-lock.js";
import { storageProblem } from "./request-errors.js";

export interface VarFolder {
  /** Its path without links: confined processes cannot read those on the way. */
  folder: string;
  /** For incoming uploads; emptied at every start. */
  uploads: string;
  /** Releases the folder for another host. */
  leave(): Promise<void>;
}

/**
 * Prepares the folder. Rejects with a message for users when it cannot be written or another host uses it; after a crash of a
 * host, this takes some seconds.
 */
export async function prepareVar(folder: string, log: Log): Promise<VarFolder> {
  const uploads = join(folder, "tmp");
  const lock = join(folder, "host");
  let leave: (() => Promise<void>) | undefined;
  try {
    await makeFolder(folder);
    leave = await takeLock(lock, {
      waiting: (owner) =>
        log.info("Waits for some seconds to see whether the host that used the folder still runs", {
          folder,
          owner,
        }),
      lost: () => {
        log.error("Another host has taken over the folder while this one did not run, so this one stops", {
          folder,
        });
        process.kill(process.pid, "SIGTERM");
      },
    });
    if (leave === undefined) throw inUse(folder, await lockOwner(lock));
    for (const part of parts) await requireFolder(join(folder, part));
    const files = (await readdir(folder)).filter((name) => privateFiles.test(name));
    for (const name of [...parts, ...files]) await takeFromOthers(join(folder, name));
    await rm(uploads, { recursive: true, force: true });
    await mkdir(uploads, { mode: privateFolder });
    return { folder: await realpath(folder), uploads, leave };
  } catch (error) {
    await leave?.();
    throw explained(error, folder);
  }
}

/** Folders that earlier hosts, or hosts of another user, may have left. */
const parts = ["sessions", "files", "snapshots", "unpacked", "pdf", "template-store"];

/** Private files beside these folders. */
const privateFiles = /^(?:plugins\.json|(?:events|audit)(?:\.\d+)?\.jsonl)$/;

/** Removes the permissions of other users, which earlier versions granted. */
async function takeFromOthers(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  const isOpen = found !== undefined && found.uid === process.getuid?.() && (found.mode & 0o077) !== 0;
  if (isOpen) await chmod(path, found.mode & privateFolder);
}

/** Reports an unusable folder at the start, and not at the first request that needs it. */
async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory())
    throw new UnusableVar(`${path} is no folder; move it away, so that the host can make one.`);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) => {
    // Perhaps a host ran as root once.
    const mend = "give it and what is in it to this user with chown -R, or choose another folder with --var";
    throw new UnusableVar(`${path} cannot be read and written (${errorCode(error)}); ${mend}.`, {
      cause: error,
    });
  });
}

/** Why the folder cannot be used, for people. */
class UnusableVar extends Error {}

function inUse(folder: string, owner: string): UnusableVar {
  return new UnusableVar(
    `The folder ${folder} is in use by the host with ${owner}; choose another with --var.`,
  );
}

function explained(error: unknown, folder: string): unknown {
  if (error instanceof UnusableVar) return error;
  const problem = storageProblem(error);
  const mend = problem === "there is no room" ? "make some on its disk" : "make it writable for this user";
  return new Error(
    `The folder ${folder} cannot be used: ${problem ?? errorCode(error) ?? String(error)}; ${mend}, or choose another with --var.`,
    { cause: error },
  );
}
