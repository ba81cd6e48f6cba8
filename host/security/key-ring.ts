import { timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { hashOf, idOf } from "./api-key.js";
import type { StoredKey } from "./stored-keys.js";

/** What came of looking for a key: the one that it is, or why it does not count. */
export type KeyMatch =
  | { kind: "valid"; key: StoredKey }
  | { kind: "expired"; key: StoredKey }
  | { kind: "unknown" };

/** Compared with where there is no such key, so that this takes as long. */
const nothing = Buffer.alloc(32).toString("hex");

/** The keys that are in force at one time. */
export class KeyRing {
  private readonly byId: ReadonlyMap<string, StoredKey>;

  constructor(readonly keys: readonly StoredKey[]) {
    this.byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** Whether there is a key with the id that a text has; says nothing of the rest of it. */
  hasIdOf(given: string): boolean {
    return this.byId.has(idOf(given) ?? "");
  }

  /** Whether a key counts still, with the same roles. */
  has(key: StoredKey): boolean {
    const current = this.byId.get(key.id);
    return current !== undefined && isDeepStrictEqual(current, key) && !isExpired(key);
  }

  match(given: string): KeyMatch {
    const key = this.byId.get(idOf(given) ?? "");
    // Hashes of equal length, compared in constant time: how much of a guess is right cannot be measured.
    const isSame = timingSafeEqual(hashOf(given), Buffer.from(key?.hash ?? nothing, "hex"));
    if (key === undefined || !isSame) return { kind: "unknown" };
    return { kind: isExpired(key) ? "expired" : "valid", key };
  }
}

/** Whether a key counts no more. */
function isExpired({ expires }: StoredKey): boolean {
  return expires !== undefined && Date.parse(expires) <= Date.now();
}
