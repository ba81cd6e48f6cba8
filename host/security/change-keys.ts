import { makeApiKey } from "./api-key.js";
import type { Role } from "./caller.js";
import type { KeySource } from "./key-source.js";
import { keyName, type StoredKey } from "./stored-keys.js";

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

/** Creates a key and stores it. Rejects for an invalid name. */
export async function addKey(source: KeySource, { name, roles, expires }: WantedKey): Promise<AddedKey> {
  if (!keyName.test(name))
    throw new Error(
      `The name ${JSON.stringify(name.slice(0, 80))} does not do; expected letters, digits and . _ @ -, at most 63, a letter or digit first.`,
    );
  const { id, key, hash } = makeApiKey();
  const created = new Date().toISOString();
  const stored = { id, name, roles, hash, created, ...(expires && { expires: expires.toISOString() }) };
  let namesakes: StoredKey[] = [];
  await source.change((keys) => {
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
export async function removeKey(source: KeySource, nameOrId: string): Promise<RemovedKey> {
  const result: RemovedKey[] = [];
  await source.change((keys) => {
    const [removed, another] = keys.filter(({ id, name }) => id === nameOrId || name === nameOrId);
    if (removed === undefined)
      throw new Error(`There is no key "${nameOrId}"; "slipway key list" shows all.`);
    if (another !== undefined) throw new Error(ambiguous(nameOrId, keys));
    const left = keys.filter(({ id }) => id !== removed.id);
    result.push({ removed, left: left.length });
    return left;
  });
  const [only] = result;
  if (only === undefined) throw new Error("The keys were not changed.");
  return only;
}

function ambiguous(nameOrId: string, keys: readonly StoredKey[]): string {
  const shown = keys
    .filter(({ id, name }) => id === nameOrId || name === nameOrId)
    .map(({ id, created }) => `${id}, of ${created}`);
  return `Several keys are called "${nameOrId}"; name one by its id: ${shown.join("; ")}.`;
}
