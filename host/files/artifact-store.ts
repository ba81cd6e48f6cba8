import type { Readable } from "node:stream";

/** A generated file on its way to clients. */
export interface Artifact {
  /** Unguessable, URL-safe. */
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  /** Strong ETag without quotes: SHA-256 of the content. */
  etag: string;
  /** Milliseconds since the epoch. */
  created: number;
  expiresAt: number;
}

/** Generated files with a lifetime. */
export interface ArtifactStore {
  /** Reads what earlier runs left, and sweeps what is incomplete. */
  open(): Promise<void>;
  /**
   * Stores bytes or a stream; a stream that fails leaves nothing behind. The name is cleaned. Rejects with 503
   * `request-overloaded` when the store is full.
   */
  create(file: { name: string; mediaType: string; content: Uint8Array | Readable }): Promise<Artifact>;
  /** Undefined for what never was and for what expired. */
  find(id: string): Promise<Artifact | undefined>;
  /** The bytes from `start` to `end` inclusive, or all of them. */
  read(artifact: Artifact, range?: { start: number; end: number }): Readable;
  /** Removes a file that no client has heard of. */
  discard(id: string): Promise<void>;
  removeExpired(now: number): Promise<number>;
  /** How many there are, and what they take of what there may be. */
  usage(): { count: number; bytes: number; maximumBytes: number };
}
