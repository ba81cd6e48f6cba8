import { makeApiKey } from "./api-key.js";
import type { Role } from "./caller.js";
import { changeKeys } from "./change-keys.js";
import { keyName, type StoredKey } from "./stored-keys.js";

/** What a key is made for. */
export interface WantedKey {
  name: string;
  roles: Role[];
  /** Without it the key does not expire. */
  expires: Date | undefined;
}

/** A key that was added; nobody can find out `key` later. */
export interface AddedKey {
  key: string;
  stored: StoredKey;
  /** Older keys of the same name, which go on: so a key is replaced without a moment in which none counts. */
  namesakes: readonly StoredKey[];
}

/** Makes a key and adds it to the key file. Rejects for a name that logs should not have. */
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
