import { buffer } from "node:stream/consumers";
import { artifactIdOf } from "@slipway/sdk/runtime/host";
import type { ArtifactStore } from "./artifact-store.js";

/**
 * The content behind a link to one of our own files, so that no request to ourselves is needed. Whatever name the
 * client knows this host by: an id that exists here is no accident.
 */
export async function ownFile(artifacts: ArtifactStore, link: string): Promise<Uint8Array | undefined> {
  const id = artifactIdOf(link);
  const artifact = id === undefined ? undefined : await artifacts.find(id);
  return artifact === undefined ? undefined : buffer(artifacts.read(artifact));
}
