import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "@slipway/sdk";
import { privateFile, replaceSynced } from "../system/durable-files.js";
import { errorCode } from "../system/errors.js";
import { followFile } from "../system/followed-file.js";
import { lockOwner, takeLock } from "../system/process-lock.js";
import { monotonicTime } from "../system/time.js";
import type { KeySource } from "./key-source.js";
import { BrokenKeys, keysText, largestKeys, parseKeys } from "./stored-keys.js";

const longestWait = 10_000;
const retryPause = 25;

/** Keys in a file of one host. */
export function createKeyFile(file: string, log: Log): KeySource {
  const name = `the key file ${file}`;
  const read = (): Promise<string | undefined> => readText(file, name);
  return {
    name,
    read,
    follow(changed) {
      void warnOfWriters(file, log);
      return followFile(file, changed, log);
    },
    async change(change) {
      await mkdir(dirname(file), { recursive: true });
      // Prevents lost updates of concurrent processes.
      const release = await waitForLock(file);
      try {
        const text = await read();
        const content = keysText(change(text === undefined ? [] : parseKeys(text, name)));
        await replaceSynced(file, content, { mode: privateFile, owner: await ownerFor(file) });
      } finally {
        await release();
      }
    },
  };
}

async function readText(file: string, name: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    // Reading a pipe or device could block forever, and removed keys would stay in force.
    if (!found.isFile()) throw new BrokenKeys(`${name} is no file`);
    if (found.size > largestKeys) throw new BrokenKeys(`${name} is larger than ${largestKeys} bytes`);
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof BrokenKeys) throw error;
    if (errorCode(error) === "ENOENT") return undefined;
    throw new BrokenKeys(`${name} cannot be read (${errorCode(error) ?? String(error)})`, { cause: error });
  }
}

async function waitForLock(file: string): Promise<() => Promise<void>> {
  const end = monotonicTime() + longestWait;
  while (true) {
    const release = await takeLock(file);
    if (release !== undefined) return release;
    if (monotonicTime() > end)
      throw new Error(
        `The key file ${file} is being changed by the process with ${await lockOwner(file)}; try again when that has ended.`,
      );
    await pause(retryPause);
  }
}

/** A file written by root gets the owner of its folder, so that the host can read it. */
async function ownerFor(file: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = await stat(dirname(file));
  return { uid, gid };
}

async function warnOfWriters(file: string, log: Log): Promise<void> {
  const mode = await stat(file).then(
    (found) => found.mode,
    () => 0,
  );
  if ((mode & 0o022) !== 0)
    log.warn(
      "The key file is writable by other users, who could create keys for themselves; fix it with chmod 600",
      { file },
    );
}
