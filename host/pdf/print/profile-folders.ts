/** A fresh profile for each browser, removed afterwards; those of hosts that were killed go at the next start. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";

const prefix = `profile-${hostname().replaceAll(/[^\w]/g, "")}-`;

/** Makes a profile folder below `parent`. */
export async function createProfile(parent: string): Promise<string> {
  const folder = join(parent, `${prefix}${process.pid}-${randomUUID().slice(0, 8)}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * A dying browser may still write for a moment, hence the retries. A profile that stays all the same is no reason to
 * fail: it goes at the next start.
 */
export async function removeProfile(folder: string, log: Log): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch (error) {
    log.warn("the profile of a browser could not be removed", { folder, error });
  }
}

/** Removes the profiles of processes of this machine that are gone. */
export async function removeStaleProfiles(parent: string, log: Log): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-", 1)[0]) : Number.NaN;
    if (Number.isInteger(pid) && pid !== process.pid && !isAlive(pid))
      await removeProfile(join(parent, name), log);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
