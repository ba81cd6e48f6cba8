import { generateKeyPairSync } from "node:crypto";
import { rm } from "node:fs/promises";
import { writeSynced } from "../../system/durable-files.js";
import { fingerprint, publicKeyText } from "../../system/signing-keys.js";

/** A new key for signing plugins. */
export interface NewKey {
  /** One line for `plugins.trust.keys`. */
  publicKey: string;
  /** The id of the key in signatures. */
  fingerprint: string;
}

/**
 * Creates a key pair and writes the private key to a new file that only its owner can read. Rejects when the file
 * exists.
 */
export async function makeKey(file: string): Promise<NewKey> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  try {
    await writeSynced(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  } catch (error) {
    // An unfinished file would block the next attempt.
    const isOthers = error instanceof Error && Reflect.get(error, "syscall") === "open";
    if (!isOthers) await rm(file, { force: true });
    throw error;
  }
  return { publicKey: publicKeyText(publicKey), fingerprint: fingerprint(publicKey) };
}
