import { once } from "node:events";
import type { Readable } from "node:stream";
import { RequestError } from "@slipway/sdk";
import { type Artifact, artifactHeaders, notFound } from "@slipway/sdk/runtime/host";
import rangeParser from "range-parser";
import { ArtifactGone, type ArtifactStore } from "../files/files.js";
import type { RequestContext } from "./request-state.js";

/** Sends a generated file, or the range of it that the client wants; 304 if the client has it. */
export async function sendArtifact(
  ctx: RequestContext,
  store: Pick<ArtifactStore, "read">,
  artifact: Artifact,
): Promise<void> {
  setHeaders(ctx, artifact);
  if (unchanged(ctx, artifact)) {
    ctx.status = 304;
    return;
  }
  const range = wantedRange(ctx, artifact);
  const bytes = range === undefined ? artifact.bytes : range.end - range.start + 1;
  if (range !== undefined) ctx.set("Content-Range", `bytes ${range.start}-${range.end}/${artifact.bytes}`);
  ctx.body = ctx.method === "HEAD" || bytes === 0 ? "" : await opened(store.read(artifact, range), ctx);
  ctx.status = range === undefined ? 200 : 206;
  ctx.type = artifact.mediaType;
  ctx.length = bytes;
}

/** Waits for the first bytes, so that a file removed meanwhile gives 404 instead of a broken response. */
async function opened(content: Readable, ctx: RequestContext): Promise<Readable> {
  try {
    await once(content, "readable", { signal: ctx.state.abort.signal });
    return content;
  } catch (error) {
    content.destroy();
    throw error instanceof ArtifactGone ? notFound(ctx.path) : error;
  }
}

function setHeaders(ctx: RequestContext, artifact: Artifact): void {
  const shown = artifact.mediaType === "application/pdf";
  ctx.set(artifactHeaders(artifact));
  ctx.set("Sunset", new Date(artifact.expiresAt).toUTCString());
  if (!shown) {
    ctx.set("Content-Security-Policy", "sandbox; default-src 'none'");
    return;
  }
  // A sandboxed PDF stays blank in browsers, and clients embed reports in their pages.
  ctx.remove("Content-Security-Policy");
  ctx.remove("X-Frame-Options");
}

function unchanged(ctx: RequestContext, artifact: Artifact): boolean {
  const tags = ctx.get("If-None-Match");
  if (tags === "") return false;
  return tags.split(",").some((tag) => ["*", `"${artifact.etag}"`].includes(tag.trim().replace(/^W\//, "")));
}

/** Serves a single range; several ranges, and ranges of an older content, give the whole file. */
function wantedRange(ctx: RequestContext, artifact: Artifact): { start: number; end: number } | undefined {
  const header = ctx.get("Range");
  const condition = ctx.get("If-Range");
  if (header === "" || (condition !== "" && condition !== `"${artifact.etag}"`)) return undefined;
  const ranges = rangeParser(artifact.bytes, header);
  if (ranges === -2 || (ranges !== -1 && (ranges.type !== "bytes" || ranges.length !== 1))) return undefined;
  const range = ranges === -1 ? undefined : ranges[0];
  if (range !== undefined) return range;
  throw new RequestError({
    id: "request-range-not-satisfiable",
    code: 416,
    message: `The header Range asks for bytes beyond the ${artifact.bytes} of the file.`,
    headers: { "Content-Range": `bytes */${artifact.bytes}` },
  });
}
