import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isBase64 } from "@slipway/sdk";

/** The problem with a public key of the configuration, worded to follow the name of its setting; undefined for a valid key. */
export function checkTrustedKey(text: string): string | undefined {
  try {
    readPublicKey(text);
    return undefined;
  } catch {
    return 'expected a public Ed25519 key as one line of Base64, as "slipway plugin key" prints it, or as PEM';
  }
}

/** Reads Base64 of SPKI DER, or PEM. Throws when it is no public Ed25519 key. */
export function readPublicKey(text: string): KeyObject {
  const trimmed = text.trim();
  // Node.js would take the public half of a private key, which has no place in a configuration.
  if (trimmed.startsWith("-----") && !trimmed.startsWith("-----BEGIN PUBLIC KEY-----")) {
    throw new Error("It is not a public key.");
  }
  if (!trimmed.startsWith("-----") && !isBase64(trimmed)) throw new Error("It is not Base64.");
  const key = trimmed.startsWith("-----")
    ? createPublicKey(trimmed)
    : createPublicKey({ key: Buffer.from(trimmed, "base64"), format: "der", type: "spki" });
  if (key.asymmetricKeyType !== "ed25519") throw new Error("It is not an Ed25519 key.");
  return key;
}

/** Reads PEM (PKCS8). Throws when it is no private Ed25519 key. */
export function readPrivateKey(text: string): KeyObject {
  const key = createPrivateKey(text);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("It is not an Ed25519 key.");
  return key;
}

/** The public key as one line, for the configuration. */
export function publicKeyText(key: KeyObject): string {
  return der(key).toString("base64");
}

/** A short name of a public key, or of the public half of a private one. */
export function fingerprint(key: KeyObject): string {
  return createHash("sha256").update(der(key)).digest("hex").slice(0, 16);
}

function der(key: KeyObject): Buffer {
  const half = key.type === "private" ? createPublicKey(key) : key;
  return half.export({ type: "spki", format: "der" });
}
