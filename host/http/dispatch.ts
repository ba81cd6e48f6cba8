/** Calls the plugin, and sends what it answered, now or earlier, or a generated file. */

import { once } from "node:events";
import type { Readable } from "node:stream";
import { RequestError } from "@slipway/sdk";
import {
  type Artifact,
  artifactHeaders,
  notFound,
  type PluginAnswer,
  pluginCall,
} from "@slipway/sdk/runtime/host";
import rangeParser from "range-parser";
import { ArtifactGone, type ArtifactStore } from "../files/files.js";
import { type StoredAnswer, storedContent } from "../jobs/jobs.js";
import { exposeHeaders } from "./browsers.js";
import { callOrigin, type Middleware, type RequestContext, requestInput, targetOf } from "./request-state.js";

/** Passes the validated request to its plugin and sends the answer. */
export function dispatch(publicUrl: string | undefined, artifacts: ArtifactStore): Middleware {
  return async (ctx) => {
    const { plugin, route, release, deadline } = targetOf(ctx);
    const input = requestInput(ctx);
    const origin = callOrigin(ctx, { release, deadline, publicUrl });
    const answer = await ctx.state.work.step(
      `${plugin.name} ${route.method} ${route.path}`,
      (work) => plugin.call(pluginCall(route, input, { ...origin, work })),
      { facts: { "slipway.plugin": plugin.name, "slipway.plugin.version": plugin.version } },
    );
    if (ctx.state.abort.signal.aborted) return;
    ctx.state.answered = storedContent(answer.content);
    ctx.set("Cache-Control", "no-store");
    ctx.set(answer.headers);
    exposeHeaders(ctx, Object.keys(answer.headers));
    await sendContent(ctx, answer.content, artifacts);
  };
}

/** Sends what a plugin answered, with 200 unless it is a file or a redirect. */
async function sendContent(
  ctx: RequestContext,
  content: PluginAnswer["content"],
  artifacts: ArtifactStore,
): Promise<void> {
  if (content.kind === "file") return await sendArtifact(ctx, artifacts, content.file);
  if (content.kind === "redirect") {
    ctx.body = null;
    ctx.status = 303;
    ctx.set("Location", content.location);
    return;
  }
  ctx.status = 200;
  ctx.type = content.mediaType;
  if (ctx.type === "text/html") ctx.set("Content-Security-Policy", pluginPagePolicy);
  ctx.body = content.body;
}

/** Pages of plugins share their origin with the admin page, which keeps a key. */
const pluginPagePolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'";

/** Sends an answer as its request got it, or would have got it; 404 where its file has expired. */
export async function sendStoredAnswer(
  ctx: RequestContext,
  { status, headers, content }: StoredAnswer,
  artifacts: ArtifactStore,
): Promise<void> {
  ctx.state.answered = content;
  ctx.set(headers);
  exposeHeaders(ctx, Object.keys(headers));
  if (content.kind === "file") {
    const file = await artifacts.find(content.id);
    if (file === undefined) throw notFound(ctx.path);
    await sendContent(ctx, { kind: "file", file }, artifacts);
    return;
  }
  await sendContent(ctx, content, artifacts);
  ctx.status = status;
}

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
