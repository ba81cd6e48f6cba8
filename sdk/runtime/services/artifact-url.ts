import type { Artifact } from "../calls/generated-files.js";

const filePath = /\/files\/([A-Za-z0-9_-]{20,100})\/[^/]+$/;

/** Where clients fetch an artifact; `baseUrl` is origin and prefix of the host. */
export function artifactUrl(baseUrl: string, artifact: Pick<Artifact, "id" | "name">): string {
  return `${baseUrl}/files/${artifact.id}/${encodeURIComponent(artifact.name)}`;
}

/** The id in the address of an artifact, or undefined for any other address. */
export function artifactIdOf(url: string): string | undefined {
  return URL.canParse(url) ? filePath.exec(new URL(url).pathname)?.[1] : undefined;
}
