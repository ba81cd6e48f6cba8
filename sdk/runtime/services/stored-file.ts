import { Readable } from "node:stream";
import type { StoredFile } from "../../plugin/stored-file.js";
import { withoutDeviceName } from "../../project/device-name.js";
import { RequestError } from "../../schema/errors.js";
import { trimmedEnd } from "../../schema/text.js";
import type { Artifact, GeneratedFiles, Pieces } from "../calls/generated-files.js";
import type { WrittenFile } from "../calls/incoming-file.js";
import { duringRequest, type ServiceContext } from "./service-context.js";

/** Stores a generated file for the running request; `isPrinted`: a PDF that the host has printed. */
export async function storeFile(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  file: Parameters<GeneratedFiles["create"]>[0],
  isPrinted = false,
): Promise<StoredFile> {
  duringRequest(context);
  const artifact = await artifacts.create(file);
  return madeFile(artifacts, context, { artifact, isPrinted });
}

/**
 * Creates a file from generated content. When the signal aborts, rejects with its reason and leaves no file.
 */
export async function createStreamed(
  artifacts: GeneratedFiles,
  signal: AbortSignal,
  { content, ...file }: { name: string; mediaType: string; content: AsyncIterable<Pieces> },
): Promise<Artifact> {
  const stream = Readable.from(content, { highWaterMark: 1 });
  // The store reports this error.
  stream.on("error", () => undefined);
  const abort = (): void => void stream.destroy(abortReason(signal));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await artifacts.create({ ...file, content: stream });
  } finally {
    signal.removeEventListener("abort", abort);
    stream.destroy();
  }
}

function abortReason({ reason }: AbortSignal): Error {
  if (reason instanceof Error) return reason;
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: "The request was cancelled before its file was stored.",
    reason,
  });
}

/** Adds a file to the running request; returns it with its download URL. */
export function madeFile(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  written: WrittenFile,
): StoredFile {
  const { origin, files } = duringRequest(context);
  const { artifact } = written;
  // A file that cannot be removed now is removed when it expires; no client knows it.
  files.remember(written, () => void artifacts.discard(artifact.id).catch(() => undefined));
  const { id, name, bytes } = artifact;
  return { id, name, bytes, url: artifactUrl(origin.baseUrl, artifact) };
}

const filePath = /\/files\/([A-Za-z0-9_-]{20,100})\/[^/]+$/;

/** The download URL of an artifact; `baseUrl` is origin and prefix of the host. */
export function artifactUrl(baseUrl: string, artifact: Pick<Artifact, "id" | "name">): string {
  return `${baseUrl}/files/${artifact.id}/${encodeURIComponent(artifact.name)}`;
}

/** The artifact id in a download URL; undefined for any other URL. */
export function artifactIdOf(url: string): string | undefined {
  return URL.canParse(url) ? filePath.exec(new URL(url).pathname)?.[1] : undefined;
}

/** The headers of a response with the whole artifact, apart from its type and length. */
export function artifactHeaders(artifact: Artifact): Record<string, string> {
  return {
    ETag: `"${artifact.etag}"`,
    "Accept-Ranges": "bytes",
    "Last-Modified": new Date(artifact.created).toUTCString(),
    "Cache-Control": "private, max-age=0, must-revalidate",
    "Content-Disposition": contentDisposition(artifact),
  };
}

/** RFC 6266: an ASCII name for old clients, the UTF-8 name for others. Browsers show PDFs and store other files. */
function contentDisposition({ name, mediaType }: Pick<Artifact, "name" | "mediaType">): string {
  const kind = mediaType === "application/pdf" ? "inline" : "attachment";
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, "_").replaceAll(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const longest = 150;

/**
 * A safe file name for downloads: no folders, no devices of Windows, no invisible or bidirectional control characters,
 * never empty.
 */
export function cleanFilename(name: string): string {
  const cleaned = name
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[\\/:*?"<>|]/g, "_")
    .replaceAll(/\s+/g, " ")
    .replace(/^[. ]+/, "");
  return shortened(withoutDeviceName(trimmedEnd(cleaned, ". "))) || "file";
}

/** Shortens the name before the extension without splitting a character. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const dot = characters.lastIndexOf(".");
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : [];
  return [...characters.slice(0, longest - extension.length), ...extension].join("");
}
