import { once } from "node:events";
import type { Readable } from "node:stream";
import { RequestError, Type } from "@slipway/sdk";
import { type Artifact, methodNotAllowed, notFound } from "@slipway/sdk/runtime/host";
import rangeParser from "range-parser";
import type { ArtifactStore } from "../files/artifact-store.js";
import type { Middleware, RequestContext } from "../http/request-state.js";
import { errorCode } from "../system/errors.js";
import { type OperationFacts, Unread } from "./operation.js";

const filePath = /^\/files\/([A-Za-z0-9_-]{20,100})\/([^/]+)$/;

/** What the host's description says of `/files/{id}/{filename}`. */
export const artifactFacts: OperationFacts = {
  method: "GET",
  path: "/files/:id/:filename",
  id: "getFile",
  tag: "host",
  summary: "A file that a plugin made, such as a report",
  description:
    "Its address comes with the answer of the plugin, and whoever knows it may fetch the file. It takes ranges.",
  roles: [],
  params: Type.Object({ id: Type.String(), filename: Type.String() }),
  query: Unread,
  body: Unread,
  answers: {
    200: {
      description: "The file.",
      headers: { ETag: "Of the content.", "Content-Disposition": "Its name." },
      content: { "application/pdf": undefined, "application/octet-stream": undefined },
    },
    206: {
      description: "The part of it that the header Range asks for.",
      headers: { "Content-Range": "Which part it is." },
      content: { "application/pdf": undefined, "application/octet-stream": undefined },
    },
    304: { description: "It is as the client has it." },
  },
  errors: {
    404: ["request-not-found"],
    416: ["request-range-not-satisfiable"],
    429: ["request-rate-limited"],
  },
};

/** Answers `/files/{id}/{filename}`; leaves every other path to the next one. */
export function serveArtifacts(store: ArtifactStore): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith("/files/")) return next();
    ctx.state.operation = "getFile";
    const artifact = await named(ctx, store);
    if (ctx.method !== "GET" && ctx.method !== "HEAD") throw methodNotAllowed(ctx.method, ["GET", "HEAD"]);
    describe(ctx, artifact);
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
  };
}

/** The stream once its first bytes are there: a file that is removed in this very moment is a 404 and no torn answer. */
async function opened(content: Readable, ctx: RequestContext): Promise<Readable> {
  try {
    await once(content, "readable", { signal: ctx.state.abort.signal });
    return content;
  } catch (error) {
    content.destroy();
    throw errorCode(error) === "ENOENT" ? notFound(ctx.path) : error;
  }
}

/** The artifact of id and name; a wrong name is as good as a wrong id. */
async function named(ctx: RequestContext, store: ArtifactStore): Promise<Artifact> {
  const [, id = "", name = ""] = filePath.exec(ctx.path) ?? [];
  const artifact = id === "" ? undefined : await store.find(id);
  if (artifact === undefined || decoded(name) !== artifact.name) throw notFound(ctx.path);
  return artifact;
}

function describe(ctx: RequestContext, artifact: Artifact): void {
  const shown = artifact.mediaType === "application/pdf";
  ctx.set("ETag", `"${artifact.etag}"`);
  ctx.set("Accept-Ranges", "bytes");
  ctx.set("Last-Modified", new Date(artifact.created).toUTCString());
  ctx.set("Cache-Control", "private, max-age=0, must-revalidate");
  ctx.set("Content-Disposition", contentDisposition(shown ? "inline" : "attachment", artifact.name));
  if (!shown) {
    ctx.set("Content-Security-Policy", "sandbox; default-src 'none'");
    return;
  }
  // A sandboxed PDF stays blank in browsers, and clients show reports inside of their own pages.
  ctx.remove("Content-Security-Policy");
  ctx.remove("X-Frame-Options");
}

/** RFC 6266: an ASCII name for old clients, the real one in UTF-8 for all others. */
function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, "_").replaceAll(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function unchanged(ctx: RequestContext, artifact: Artifact): boolean {
  const tags = ctx.get("If-None-Match");
  if (tags === "") return false;
  return tags.split(",").some((tag) => ["*", `"${artifact.etag}"`].includes(tag.trim().replace(/^W\//, "")));
}

/** One range is served as such; several at once, and those of an older content, get the whole file. */
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
    message: `The file has ${artifact.bytes} bytes; the range lies outside.`,
    headers: { "Content-Range": `bytes */${artifact.bytes}` },
  });
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
