import { changeKeys } from "./change-keys.js";
import type { StoredKey } from "./stored-keys.js";

/** A key that was removed, and how many there are still. */
export interface RemovedKey {
  removed: StoredKey;
  left: number;
}

/** Removes a key by its id, or by its name when it is the only one that has it. Rejects when it is not clear which is meant. */
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
