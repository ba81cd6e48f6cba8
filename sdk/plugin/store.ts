/** Small values that a plugin keeps between requests, restarts and versions. */
import type { Static, TSchema } from "../schema/schema.js";

/** A stored value. */
export interface StoredValue<V> {
  /** Validated by the schema given to `get`. */
  readonly value: V;
  /** Changes with each write; for the `revision` of the next one. */
  readonly revision: string;
}

/** What a write expects to find. */
export interface ExpectedValue {
  /**
   * Only if this is the revision of the current value; null: only if there is no value. Default: always. Otherwise the
   * write fails with 409 `request-conflict` and changes nothing.
   */
  revision?: string | null;
}

/**
 * JSON values of a plugin by key, shared by all of its versions and kept over restarts. A key has 1 to 200 letters, digits and
 * `._:/-`. Of a plugin, at most 1,000 values of 64 KB each and 8 MB together are kept; more fail with 500 `plugin-error`, a
 * full disk with 503 `request-overloaded`. A write that succeeded survives a crash of the server.
 */
export interface Store {
  /**
   * The value of a key, if any. Fails with 500 `plugin-error` if it does not fit the schema, for example
   * because another version of the plugin wrote it.
   */
  get<S extends TSchema>(key: string, schema: S): Promise<StoredValue<Static<S>> | undefined>;
  /** Stores a value; returns its revision. */
  set(key: string, value: unknown, expected?: ExpectedValue): Promise<{ revision: string }>;
  /** Removes a value; returns whether there was one. */
  delete(key: string, expected?: ExpectedValue): Promise<boolean>;
  /** The keys that begin with a text, sorted; default: all. */
  keys(beginning?: string): Promise<string[]>;
}
