import { type KeyObject, sign, verify } from "node:crypto";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { Rejection } from "../../system/errors.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import type { Integrity } from "./integrity.js";
import type { Manifest } from "./manifest.js";

type Named = Pick<Manifest, "name" | "version">;

/** A list of files with the signature of a private key on it. */
export function signed(manifest: Named, { format, files }: Integrity, key: KeyObject): Integrity {
  const value = sign(null, signedText(manifest, { format, files }), key).toString("base64");
  return { format, files, signature: { key: fingerprint(key), value } };
}

/** The name of the configured key that signed the list; undefined when none did. `keys` as in `plugins.trust.keys`. */
export function signedBy(
  manifest: Named,
  integrity: Integrity,
  keys: PluginsConfiguration["trust"]["keys"],
): string | undefined {
  const { signature } = integrity;
  if (signature === undefined) return undefined;
  const text = signedText(manifest, integrity);
  const value = Buffer.from(signature.value, "base64");
  return Object.keys(keys).find((name) => verify(null, text, readPublicKey(keys[name] ?? ""), value));
}

/**
 * The name of the trusted key that signed a plugin. Throws a `Rejection` that says why nobody did, where trust is
 * required.
 */
export function requireTrust(
  manifest: Named,
  integrity: Integrity | undefined,
  { required, keys }: PluginsConfiguration["trust"],
): string | undefined {
  const name = integrity === undefined ? undefined : signedBy(manifest, integrity, keys);
  if (name !== undefined || !required) return name;
  const signature = integrity?.signature;
  const rule = "this host admits only plugins that are signed by one of its keys";
  if (signature === undefined) throw new Rejection(`it is not signed; ${rule}`);
  const known = Object.keys(keys).find(
    (each) => fingerprint(readPublicKey(keys[each] ?? "")) === signature.key,
  );
  if (known === undefined) throw new Rejection(`it is signed by an unknown key (${signature.key}); ${rule}`);
  throw new Rejection(`its signature by the key ${known} does not fit its files; ${rule}`);
}

/** One line for each fact; its first one keeps the signature from being taken for one of something else. */
function signedText({ name, version }: Named, { files }: Integrity): Buffer {
  const lines = Object.entries(files)
    .map(([path, { size, sha256 }]) => `${JSON.stringify(path)} ${size} ${sha256}`)
    .sort();
  return Buffer.from(["slipway plugin, format 1", JSON.stringify([name, version]), ...lines].join("\n"));
}
