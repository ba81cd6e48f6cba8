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

/** What the store holds. */
export interface ArtifactUsage {
  /** Complete files. */
  count: number;
  /** Of complete files and of those that are being written. */
  bytes: number;
  /** As configured. */
  maximumBytes: number;
  /** Files that had to go before their time since the store was opened, because room was short. */
  evicted: number;
}

/** Generated files with a lifetime. */
export interface ArtifactStore {
  /** Reads what earlier runs left, and sweeps what is incomplete. */
  open(): Promise<void>;
  /**
   * Stores bytes or a stream; a stream that fails leaves nothing behind. The name is cleaned. Where room is short, the
   * oldest files go that nobody reads and that are older than `files.minimumLifetime`. Rejects with 503
   * `request-overloaded` when that is not enough.
   */
  create(file: { name: string; mediaType: string; content: Uint8Array | Readable }): Promise<Artifact>;
  /** Undefined for what never was, for what expired and for what had to go. */
  find(id: string): Promise<Artifact | undefined>;
  /** The bytes from `start` to `end` inclusive, or all of them. */
  read(artifact: Artifact, range?: { start: number; end: number }): Readable;
  /** Removes a file that no client has heard of. */
  discard(id: string): Promise<void>;
  removeExpired(now: number): Promise<number>;
  usage(): ArtifactUsage;
}
