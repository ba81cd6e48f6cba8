import { buffer } from "node:stream/consumers";
import { artifactIdOf, type GeneratedFiles } from "@slipway/sdk/runtime/host";

/** A file that was found has been removed before it could be read. */
export class ArtifactGone extends Error {
  override readonly name = "ArtifactGone";

  constructor(id: string) {
    super(`The generated file ${id.slice(0, 8)}… is gone`);
  }
}

/** Usage of the store. */
export interface ArtifactUsage {
  /** Complete files. */
  count: number;
  /** Includes files that are being written. */
  bytes: number;
  /** As configured. */
  maximumBytes: number;
  /** Files deleted early for lack of space since the store was opened. */
  evicted: number;
}

/**
 * Generated files with a lifetime. For lack of space, the oldest files without readers are deleted once they are older
 * than `files.minimumLifetime`; if that is not enough, `create` rejects with 503 `request-overloaded`. The store decides by
 * its own clock what has expired. The stream of `read` fails with `ArtifactGone` where the file was removed meanwhile; a
 * stream that has begun is not torn by an expiry or for lack of space.
 */
export interface ArtifactStore extends GeneratedFiles {
  /** Reads the files of earlier runs and removes incomplete ones. */
  open(): Promise<void>;
  /** Returns the number of removed files. */
  removeExpired(): Promise<number>;
  usage(): Promise<ArtifactUsage>;
}

/**
 * The content behind a link to a file of this host, without an HTTP request. The host name does not matter: ids are
 * unguessable, so an existing id is no coincidence.
 */
export async function ownFile(artifacts: ArtifactStore, link: string): Promise<Uint8Array | undefined> {
  const id = artifactIdOf(link);
  const artifact = id === undefined ? undefined : await artifacts.find(id);
  return artifact === undefined ? undefined : buffer(artifacts.read(artifact));
}
