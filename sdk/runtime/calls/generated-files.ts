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

/** Where the files that plugins make lie. */
export interface GeneratedFiles {
  /** Stores bytes or a stream; a stream that fails leaves nothing behind. The name is cleaned. */
  create(file: { name: string; mediaType: string; content: Uint8Array | Readable }): Promise<Artifact>;
  /** Undefined for what never was, for what expired and for what had to go. */
  find(id: string): Promise<Artifact | undefined>;
  /** The bytes from `start` to `end` inclusive, or all of them. */
  read(artifact: Artifact, range?: { start: number; end: number }): Readable;
  /** Removes a file that no client has heard of. */
  discard(id: string): Promise<void>;
}
