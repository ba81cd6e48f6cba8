import { buffer } from "node:stream/consumers";
import { artifactIdOf } from "@slipway/sdk/runtime/host";
import type { ArtifactStore } from "./artifact-store.js";

/**
 * The content behind a link to a file of this host, without an HTTP request. The host name does not matter: ids are
 * unguessable, so an existing id is no coincidence.
 */
export async function ownFile(artifacts: ArtifactStore, link: string): Promise<Uint8Array | undefined> {
  const id = artifactIdOf(link);
  const artifact = id === undefined ? undefined : await artifacts.find(id);
  return artifact === undefined ? undefined : buffer(artifacts.read(artifact));
}
