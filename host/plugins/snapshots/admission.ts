import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import { sdkMismatch } from "../fitting-sdk.js";
import type { Snapshot } from "./snapshot.js";

export interface AdmissionOptions {
  sdkVersion: string;
  trust: PluginsConfiguration["trust"];
}

/**
 * Why a stored snapshot may not run any more, as a sentence: after an update of the host or a change of its
 * configuration. Undefined when it may.
 */
export function admissible(snapshot: Snapshot, { sdkVersion, trust }: AdmissionOptions): string | undefined {
  const { engines, signedBy, signingKey } = snapshot;
  const mismatch = sdkMismatch(engines, sdkVersion);
  if (mismatch !== undefined) return mismatch;
  if (!trust.required) return undefined;
  if (signedBy === undefined)
    return "the plugin is not signed, and this host admits only signed ones (plugins.trust)";
  // A name may have got another key since.
  return Object.values(trust.keys).some((key) => fingerprint(readPublicKey(key)) === signingKey)
    ? undefined
    : `the plugin is signed with the key ${JSON.stringify(signedBy)}, which this host does not trust any more (plugins.trust.keys)`;
}
