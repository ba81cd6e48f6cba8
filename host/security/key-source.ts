import type { StoredKey } from "./stored-keys.js";

/** Where keys are stored: a file of one host, or the engine that several hosts share. */
export interface KeySource {
  /** For messages, such as "the key file /var/lib/slipway/keys.json". */
  readonly name: string;
  /** The stored text; undefined where there never was one. Throws `BrokenKeys`. */
  read(): Promise<string | undefined>;
  /** Calls after each change; returns a function that ends that. */
  follow(changed: () => void): () => void;
  /** `change` maps the current keys to the new ones; concurrent changes wait for each other. */
  change(change: (keys: readonly StoredKey[]) => readonly StoredKey[]): Promise<void>;
}
