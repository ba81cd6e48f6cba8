/** What comes and goes on disk while snapshots are made and removed. */
import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Log } from "@slipway/sdk";
import { syncFolder } from "../../system/durable-files.js";
import { errorCode } from "../../system/errors.js";
import { isLeftover } from "./snapshot-record.js";

/** Removes a folder in one step: half of it never lies under its name. What stays on disk goes at the next start. */
export async function discard(folder: string, log: Log | undefined): Promise<void> {
  const temporary = temporaryIn(dirname(folder));
  try {
    await rename(folder, temporary);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  await syncFolder(dirname(folder));
  await remove(temporary, log);
}

/** A name of something that is not complete yet, or not any more. */
export function temporaryIn(folder: string): string {
  return join(folder, `.${randomUUID()}`);
}

export function isTemporary(name: string): boolean {
  return /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}

/** In order; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** Removes what nobody can use. */
export async function sweepFolder(folder: string, log: Log | undefined): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (isTemporary(name) || (await isLeftover(path))) await remove(path, log);
  }
}

/** What cannot be removed is in nobody's way. */
async function remove(path: string, log: Log | undefined): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    log?.warn("What is left of a plugin's snapshot could not be removed", { path, error });
  }
}
