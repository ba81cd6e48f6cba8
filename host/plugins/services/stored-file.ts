import type { StoredFile } from "@slipway/sdk";
import type { Artifact, ArtifactStore } from "../../files/artifact-store.js";
import { artifactUrl } from "../../files/artifact-url.js";
import { duringRequest, type ServiceContext } from "./service-context.js";

/** Stores a generated file for the running request. */
export async function storeFile(
  artifacts: ArtifactStore,
  context: ServiceContext,
  file: Parameters<ArtifactStore["create"]>[0],
): Promise<StoredFile> {
  duringRequest(context);
  return madeFile(artifacts, context, await artifacts.create(file));
}

/** A file of the running request from now on, with the address under which its client can fetch it. */
export function madeFile(artifacts: ArtifactStore, context: ServiceContext, artifact: Artifact): StoredFile {
  const { origin, files } = duringRequest(context);
  files.remember(artifact.id, () => void artifacts.discard(artifact.id));
  const { id, name, bytes } = artifact;
  return { id, name, bytes, url: artifactUrl(origin.baseUrl, artifact) };
}
