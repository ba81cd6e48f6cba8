import type { StoredFile } from "../../plugin/host.js";
import { trimmedEnd } from "../../trimmed-end.js";
import type { Artifact, GeneratedFiles } from "../calls/generated-files.js";
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

const filePath = /\/files\/([A-Za-z0-9_-]{20,100})\/[^/]+$/;

/** Where clients fetch an artifact; `baseUrl` is origin and prefix of the host. */
export function artifactUrl(baseUrl: string, artifact: Pick<Artifact, "id" | "name">): string {
  return `${baseUrl}/files/${artifact.id}/${encodeURIComponent(artifact.name)}`;
}

/** The id in the address of an artifact, or undefined for any other address. */
export function artifactIdOf(url: string): string | undefined {
  return URL.canParse(url) ? filePath.exec(new URL(url).pathname)?.[1] : undefined;
}

const longest = 150;

/** A file name that is fit for a download: no folders, no invisible or reversing characters, never empty. */
export function cleanFilename(name: string): string {
  const cleaned = name
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[\\/:*?"<>|]/g, "_")
    .replaceAll(/\s+/g, " ")
    .replace(/^[. ]+/, "");
  return shortened(trimmedEnd(cleaned, ". ")) || "file";
}

/** Shortens the part before the extension, never inside a character. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const dot = characters.lastIndexOf(".");
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : [];
  return [...characters.slice(0, longest - extension.length), ...extension].join("");
}
