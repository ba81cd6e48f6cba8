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

/** The content of a file, whole or in pieces, which are written before the next ones are asked for. */
export type ArtifactContent = Uint8Array | AsyncIterable<Pieces>;

/** The pieces as a list. */
export function listOf(pieces: Pieces): readonly Uint8Array[] {
  return pieces instanceof Uint8Array ? [pieces] : pieces;
}

/** Where the files that plugins make lie. */
export interface GeneratedFiles {
  /**
   * Stores a file; a content that fails leaves nothing behind. The name is cleaned. `id`: of `newArtifactId`, for a file
   * whose address a client knows before it exists; never the id of an existing one.
   */
  create(file: { id?: string; name: string; mediaType: string; content: ArtifactContent }): Promise<Artifact>;
  /** Undefined for what never was, for what expired and for what had to go. */
  find(id: string): Promise<Artifact | undefined>;
  /** The bytes from `start` to `end` inclusive, or all of them. */
  read(artifact: Artifact, range?: { start: number; end: number }): Readable;
  /** Removes a file that no client has heard of. */
  discard(id: string): Promise<void>;
}
