import { createHash, randomBytes, randomInt } from "node:crypto";

/** Alphabet of key ids, which are not secret. */
const idLetters = "abcdefghijkmnpqrstuvwxyz23456789";
const idLength = 8;
const secretBytes = 32;

const keyPattern = new RegExp(`^slipway_([${idLetters}]{${idLength}})_[A-Za-z0-9_-]{43}$`);

/** A new key; `key` is not stored. */
export interface MadeKey {
  id: string;
  /** `slipway_<id>_<43 base64url characters>`. */
  key: string;
  /** The stored hash. */
  hash: string;
}

/** Creates a key with 256 random bits. */
export function makeApiKey(): MadeKey {
  const id = Array.from({ length: idLength }, () => idLetters[randomInt(idLetters.length)]).join("");
  const key = `slipway_${id}_${randomBytes(secretBytes).toString("base64url")}`;
  return { id, key, hash: hashOf(key).toString("hex") };
}

/** The id in a key; undefined for other text. */
export function idOf(key: string): string | undefined {
  return keyPattern.exec(key)?.[1];
}

/**
 * SHA-256 of a key. Slow salted hashes protect guessable passwords; 256 random bits cannot be guessed, and a slow hash
 * would cost time on every request.
 */
export function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
