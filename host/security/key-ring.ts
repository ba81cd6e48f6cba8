import { timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { hashOf, idOf } from "./api-key.js";
import type { StoredKey } from "./stored-keys.js";

/** The result of matching a key. */
export type KeyMatch =
  | { kind: "valid"; key: StoredKey }
  | { kind: "expired"; key: StoredKey }
  | { kind: "unknown" };

/** Hash for an unknown key, so that the comparison takes constant time. */
const nothing = Buffer.alloc(32).toString("hex");

/** The keys in force. */
export class KeyRing {
  private readonly byId: ReadonlyMap<string, StoredKey>;

  constructor(readonly keys: readonly StoredKey[]) {
    this.byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** Whether a key has the id of the text; does not check the secret. */
  hasIdOf(given: string): boolean {
    return this.byId.has(idOf(given) ?? "");
  }

  /** Whether a key is still valid with the same roles. */
  has(key: StoredKey): boolean {
    const current = this.byId.get(key.id);
    return current !== undefined && isDeepStrictEqual(current, key) && !isExpired(key);
  }

  match(given: string): KeyMatch {
    const key = this.byId.get(idOf(given) ?? "");
    // Constant-time comparison of hashes: timing reveals nothing about a guess.
    const isSame = timingSafeEqual(hashOf(given), Buffer.from(key?.hash ?? nothing, "hex"));
    if (key === undefined || !isSame) return { kind: "unknown" };
    return { kind: isExpired(key) ? "expired" : "valid", key };
  }
}

function isExpired({ expires }: StoredKey): boolean {
  return expires !== undefined && Date.parse(expires) <= Date.now();
}
