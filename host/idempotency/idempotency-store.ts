/** Answers to requests with an idempotency key. One contract for the embedded store and for shared ones. */
import type { StoredAnswer } from "../jobs/jobs.js";
import { overloaded } from "../system/request-errors.js";

/** A request with a key. */
export interface KeyedRequest {
  /** Of client and key together. */
  name: string;
  /** Differs for different requests. */
  fingerprint: string;
}

export interface KeyTerms {
  /** Milliseconds after which a running request counts as lost. */
  lease: number;
  /** Milliseconds for which a key is remembered. */
  lifetime: number;
  maximumKeys: number;
}

/** A request that was begun; `attempt` identifies the current attempt. */
export interface BegunRequest {
  /** Of the key. */
  name: string;
  attempt: number;
}

/** What is known of a key. `id`: a random id that stays the same while the request has no answer. */
export type KnownRequest =
  | { kind: "new"; id: string; attempt: number }
  | { kind: "running" }
  | { kind: "different" }
  | { kind: "answered"; answer: StoredAnswer };

/** A change survives `kill -9` once its method has resolved. Stores use their own clock. */
export interface IdempotencyStore {
  open(): Promise<void>;
  /**
   * Begins a request, unless its key is known. Returns `new` to one caller at a time, and again once its lease is over. Rejects
   * with 503 `request-overloaded` beyond the limit.
   */
  begin(request: KeyedRequest, terms: KeyTerms): Promise<KnownRequest>;
  /** Stores the answer to a `new` request, unless another attempt has begun since. */
  finish(begun: BegunRequest, answer: StoredAnswer): Promise<void>;
  /** Forgets a `new` request, unless another attempt has begun since. */
  forget(begun: BegunRequest): Promise<void>;
  /** Returns the number of forgotten keys. */
  removeExpired(): Promise<number>;
  close(): Promise<void>;
}

/** Throws 503 `request-overloaded` when the limit of keys is reached. */
export function refuseKeys(keys: number, { maximumKeys }: KeyTerms): void {
  if (keys >= maximumKeys)
    throw overloaded("The host remembers too many Idempotency-Keys. Try again later.", 60);
}
