import { createHash, randomBytes, randomInt } from "node:crypto";

/** What a key is called by, and how it begins: neither opens anything. */
const idLetters = "abcdefghijkmnpqrstuvwxyz23456789";
const idLength = 8;
const secretBytes = 32;

const keyPattern = new RegExp(`^slipway_([${idLetters}]{${idLength}})_[A-Za-z0-9_-]{43}$`);

/** A key that was just made; `key` is not kept anywhere. */
export interface MadeKey {
  id: string;
  /** `slipway_<id>_<43 base64url characters>`. */
  key: string;
  /** What is kept of it. */
  hash: string;
}

/** A key of 256 random bits. */
export function makeApiKey(): MadeKey {
  const id = Array.from({ length: idLength }, () => idLetters[randomInt(idLetters.length)]).join("");
  const key = `slipway_${id}_${randomBytes(secretBytes).toString("base64url")}`;
  return { id, key, hash: hashOf(key).toString("hex") };
}

/** The id in a key; undefined for what is no key of Slipway. */
export function idOf(key: string): string | undefined {
  return keyPattern.exec(key)?.[1];
}

/**
 * SHA-256 of a key. Slow hashes with salt protect passwords, which people choose and which can be guessed; nobody guesses 256
 * random bits, and every request would pay for a slow one.
 */
export function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
