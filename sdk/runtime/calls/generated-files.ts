import { randomBytes } from "node:crypto";
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

/** An unguessable id. */
export function newArtifactId(): string {
  return randomBytes(18).toString("base64url");
}

/** Pieces of a file: one, or several that are written at once. */
export type Pieces = Uint8Array | readonly Uint8Array[];

/** The content of a file, whole or in pieces; each is written before the next one is requested. */
export type ArtifactContent = Uint8Array | AsyncIterable<Pieces>;

/** The pieces as a list. */
export function listOf(pieces: Pieces): readonly Uint8Array[] {
  return pieces instanceof Uint8Array ? [pieces] : pieces;
}

/** The store of generated files. */
export interface GeneratedFiles {
  /**
   * Stores a file under a cleaned name, or nothing if the content fails. `id`: from `newArtifactId`, for a file whose
   * address a client learns before it exists; never that of an existing file.
   */
  create(file: { id?: string; name: string; mediaType: string; content: ArtifactContent }): Promise<Artifact>;
  /** Undefined for an unknown, expired or removed file. */
  find(id: string): Promise<Artifact | undefined>;
  /** The bytes from `start` to `end` inclusive, or all of them. */
  read(artifact: Artifact, range?: { start: number; end: number }): Readable;
  /** Removes a file that no client knows. */
  discard(id: string): Promise<void>;
}
