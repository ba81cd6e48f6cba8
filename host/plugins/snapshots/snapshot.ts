import type { SmokeRequest } from "../packages/manifest.js";

/** Names one content of one plugin version. */
export interface SnapshotReference {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of everything that the version consists of, hexadecimal. */
  readonly hash: string;
}

/** The immutable copy of one plugin version that runs; what is said of it here was stored with it. */
export interface Snapshot extends SnapshotReference {
  /** SHA-256 of the plugin's own files alone, without those of the host's packages that went into it. */
  readonly source: string;
  readonly aliases: readonly string[];
  /** Range of the SDK that it was built for. */
  readonly engines: string;
  /** The plugin's own default configuration. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Requests that it has to answer before it goes live. */
  readonly smoke: readonly SmokeRequest[];
  /** Name of the trusted key that signed it. */
  readonly signedBy: string | undefined;
  /** Fingerprint of that key. */
  readonly signingKey: string | undefined;
  readonly folder: string;
  /** The bundle. */
  readonly entry: string;
}

/** Whether two references name the same content. */
export function isSame(one: SnapshotReference, other: SnapshotReference): boolean {
  return one.name === other.name && one.version === other.version && one.hash === other.hash;
}
