import { RequestError, type StoredFile } from "@slipway/sdk";
import type { ArtifactStore } from "../../files/artifact-store.js";
import { artifactUrl } from "../../files/artifact-url.js";
import type { ServiceContext } from "./service-context.js";

/** Stores a generated file and gives it the address under which the client of this request can fetch it. */
export async function storeFile(
  artifacts: ArtifactStore,
  context: ServiceContext,
  file: { name: string; mediaType: string; content: Uint8Array },
): Promise<StoredFile> {
  const { baseUrl } = duringRequest(context);
  const artifact = await artifacts.create(file);
  return { id: artifact.id, name: artifact.name, bytes: artifact.bytes, url: artifactUrl(baseUrl, artifact) };
}

/** What only makes sense for a request: its client's address, its session. */
export function duringRequest(context: ServiceContext): NonNullable<ServiceContext["call"]> {
  if (context.call !== undefined) return context.call;
  throw new RequestError({
    id: "plugin-error",
    code: 500,
    message: "The plugin used a service outside of a request that is there for requests only.",
  });
}
