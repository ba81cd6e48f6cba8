/** What requests with a key have been answered with. One contract for the embedded store and for shared ones. */
import type { StoredAnswer } from "../jobs/stored-answer.js";
import { overloaded } from "../system/request-errors.js";

/** A request with a key. */
export interface KeyedRequest {
  /** Of client and key together. */
  name: string;
  /** Differs for different requests. */
  fingerprint: string;
}

export interface KeyTerms {
  /** Milliseconds after which a request counts as lost that has not ended. */
  lease: number;
  /** Milliseconds for which a key is remembered. */
  lifetime: number;
  maximumKeys: number;
}

/** A request that was begun; `attempt` tells the one of now from those before. */
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

/** What a method has resolved with outlives `kill -9`. Stores decide by their own clock. */
export interface IdempotencyStore {
  open(): Promise<void>;
  /**
   * Begins a request, unless its key is known. `new` to one caller at a time, and again once the lease of one is over. 503
   * `request-overloaded` beyond the limit.
   */
  begin(request: KeyedRequest, terms: KeyTerms): Promise<KnownRequest>;
  /** Keeps the answer to a request that was `new`, unless another attempt has begun since. */
  finish(begun: BegunRequest, answer: StoredAnswer): Promise<void>;
  /** Forgets a request that was `new`, unless another attempt has begun since: the next one begins anew. */
  forget(begun: BegunRequest): Promise<void>;
  /** Returns the number of forgotten keys. */
  removeExpired(): Promise<number>;
  close(): Promise<void>;
}

/** Throws 503 `request-overloaded` where there is no room for another key. */
export function refuseKeys(keys: number, { maximumKeys }: KeyTerms): void {
  if (keys >= maximumKeys)
    throw overloaded("The host remembers too many Idempotency-Keys. Try again later.", 60);
}
