import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import { readIntegrity } from "../packages/integrity.js";
import type { Manifest } from "../packages/manifest.js";
import { requireTrust } from "../packages/signature.js";
import type { Origin } from "./stage-plugin.js";

/**
 * What a plugin's list of files says of where it comes from: who signed it, and the hashes that its files have to have.
 * Throws a `Rejection` when it is not to be trusted.
 */
export async function trustedOrigin(
  manifest: Manifest,
  folder: string,
  trust: PluginsConfiguration["trust"],
): Promise<Origin> {
  const integrity = await readIntegrity(folder);
  const signedBy = requireTrust(manifest, integrity, trust);
  const signingKey =
    signedBy === undefined ? undefined : fingerprint(readPublicKey(trust.keys[signedBy] ?? ""));
  if (integrity === undefined) return { signedBy, signingKey };
  const files = Object.entries(integrity.files).map(([path, { sha256 }]) => [path, sha256] as const);
  return { signedBy, signingKey, files: new Map(files) };
}
