import type { StoredFile } from "../../plugin/host.js";
import type { Artifact, GeneratedFiles } from "../calls/generated-files.js";
import { artifactUrl } from "./artifact-url.js";
import { duringRequest, type ServiceContext } from "./service-context.js";

/** Stores a generated file for the running request. */
export async function storeFile(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  file: Parameters<GeneratedFiles["create"]>[0],
): Promise<StoredFile> {
  duringRequest(context);
  return madeFile(artifacts, context, await artifacts.create(file));
}

/** A file of the running request from now on, with the address under which its client can fetch it. */
export function madeFile(artifacts: GeneratedFiles, context: ServiceContext, artifact: Artifact): StoredFile {
  const { origin, files } = duringRequest(context);
  files.remember(artifact.id, () => void artifacts.discard(artifact.id));
  const { id, name, bytes } = artifact;
  return { id, name, bytes, url: artifactUrl(origin.baseUrl, artifact) };
}
