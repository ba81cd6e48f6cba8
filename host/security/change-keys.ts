import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { privateFile, replaceSynced } from "../system/durable-files.js";
import { lockOwner, takeLock } from "../system/process-lock.js";
import { monotonicTime } from "../system/time.js";
import { makeApiKey } from "./api-key.js";
import type { Role } from "./caller.js";
import { keyName, type StoredKey, storedKeys } from "./stored-keys.js";

const longestWait = 10_000;
const retryPause = 25;

/**
 * Changes the key file: `change` maps the current keys to the new ones. A lock prevents lost updates of concurrent
 * processes; the write is atomic. Rejects when the file cannot be read or written.
 */
export async function changeKeys(
  file: string,
  change: (keys: readonly StoredKey[]) => readonly StoredKey[],
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const release = await waitForLock(file);
  try {
    const keys = change(await storedKeys(file));
    const content = `${JSON.stringify({ keys }, undefined, 2)}\n`;
    await replaceSynced(file, content, { mode: privateFile, owner: await ownerFor(file) });
  } finally {
    await release();
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

/** Properties of a new key. */
export interface WantedKey {
  name: string;
  roles: Role[];
  /** Undefined: the key does not expire. */
  expires: Date | undefined;
}

/** A new key; `key` cannot be recovered later. */
export interface AddedKey {
  key: string;
  stored: StoredKey;
  /** Older keys of the same name, which stay valid, so that a key can be replaced without interruption. */
  namesakes: readonly StoredKey[];
}

/** Creates a key and adds it to the key file. Rejects for an invalid name. */
export async function addKey(file: string, { name, roles, expires }: WantedKey): Promise<AddedKey> {
  if (!keyName.test(name))
    throw new Error(
      `The name ${JSON.stringify(name.slice(0, 80))} does not do; expected letters, digits and . _ @ -, at most 63, a letter or digit first.`,
    );
  const { id, key, hash } = makeApiKey();
  const created = new Date().toISOString();
  const stored = { id, name, roles, hash, created, ...(expires && { expires: expires.toISOString() }) };
  let namesakes: StoredKey[] = [];
  await changeKeys(file, (keys) => {
    namesakes = keys.filter((each) => each.name === name);
    return [...keys, stored];
  });
  return { key, stored, namesakes };
}

/** The removed key and the number of remaining keys. */
export interface RemovedKey {
  removed: StoredKey;
  left: number;
}

/** Removes a key by its id or unique name. Rejects when unknown or ambiguous. */
export async function removeKey(file: string, nameOrId: string): Promise<RemovedKey> {
  const result: RemovedKey[] = [];
  await changeKeys(file, (keys) => {
    const [removed, another] = keys.filter(({ id, name }) => id === nameOrId || name === nameOrId);
    if (removed === undefined)
      throw new Error(`There is no key "${nameOrId}"; "slipway key list" shows all.`);
    if (another !== undefined) throw new Error(ambiguous(nameOrId, keys));
    const left = keys.filter(({ id }) => id !== removed.id);
    result.push({ removed, left: left.length });
    return left;
  });
  const [only] = result;
  if (only === undefined) throw new Error("The key file was not changed.");
  return only;
}

function ambiguous(nameOrId: string, keys: readonly StoredKey[]): string {
  const shown = keys
    .filter(({ id, name }) => id === nameOrId || name === nameOrId)
    .map(({ id, created }) => `${id}, of ${created}`);
  return `Several keys are called "${nameOrId}"; name one by its id: ${shown.join("; ")}.`;
}
