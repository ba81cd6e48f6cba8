/** The secrets that webhooks are signed with. One contract for the embedded store and for shared ones. */

/** Milliseconds for which a secret counts after it was replaced. */
export const secretOverlap = 86_400_000;

/** Of a request without a key. */
export const hostSigner = "host";

/** Secrets of signers: names of keys, or the host for requests without a key. */
export interface WebhookSecrets {
  open(): Promise<void>;
  /** Those that count, the newest first; the first one is made when it is asked for. */
  inForce(signer: string): Promise<string[]>;
  /** Replaces the newest one, which counts for another day, so that receivers can change over. */
  rotate(signer: string): Promise<void>;
}

/** Whose secret signs the webhooks of a request. */
export function signerOf(key: string | undefined): string {
  return key === undefined ? hostSigner : `key ${key}`;
}
