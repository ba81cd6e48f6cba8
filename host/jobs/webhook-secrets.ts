/** Secrets that sign webhooks. One contract for the embedded store and for shared ones. */

/** Milliseconds for which a replaced secret stays valid. */
export const secretOverlap = 86_400_000;

/** The signer of requests without a key. */
export const hostSigner = "host";

/** Secrets of signers: names of keys, or the host for requests without a key. */
export interface WebhookSecrets {
  open(): Promise<void>;
  /** The valid secrets, the newest first; creates the first one when it is needed. */
  inForce(signer: string): Promise<string[]>;
  /** Replaces the newest one, which stays valid for another day, so that receivers can change over. */
  rotate(signer: string): Promise<void>;
}

/** The signer of a request's webhooks. */
export function signerOf(key: string | undefined): string {
  return key === undefined ? hostSigner : `key ${key}`;
}
