import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { privateFile, replaceSynced } from "../system/durable-files.js";
import { leaveMark, takeMark } from "../system/process-mark.js";
import { type StoredKey, storedKeys } from "./stored-keys.js";

const longestWait = 10_000;
const retryPause = 25;

/**
 * Changes the key file: `change` gets the keys that are in it and gives those that shall be. One process at a time, so that of
 * two changes at the same moment none is lost; the file is the old one or the new one, also after a crash. Rejects when the
 * file cannot be read or written.
 */
export async function changeKeys(
  file: string,
  change: (keys: readonly StoredKey[]) => readonly StoredKey[],
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const mark = `${file}.lock`;
  await waitForMark(mark, file);
  try {
    const keys = change(await storedKeys(file));
    const content = `${JSON.stringify({ keys }, undefined, 2)}\n`;
    await replaceSynced(file, content, { mode: privateFile, owner: await ownerFor(file) });
  } finally {
    await leaveMark(mark);
  }
}

async function waitForMark(mark: string, file: string): Promise<void> {
  const end = Date.now() + longestWait;
  while (true) {
    const owner = await takeMark(mark);
    if (owner === undefined) return;
    if (Date.now() > end)
      throw new Error(
        `The key file ${file} is being changed by the process ${owner}; try again when that has ended.`,
      );
    await pause(retryPause);
  }
}

/** What root writes must be readable for the host: it belongs to whom its folder does. */
async function ownerFor(file: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = await stat(dirname(file));
  return { uid, gid };
}
