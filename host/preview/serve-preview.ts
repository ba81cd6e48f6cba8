import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Middleware, RequestContext } from "../middleware/request-state.js";
import { methodNotAllowed, notFound } from "../request-errors.js";
import { type PreviewFile, previewFiles } from "./preview-files.js";

const place = "/preview";
const page = "preview.html";

/** The library runs in a worker of its own, for which only the policy of the worker's file counts. */
const policies = {
  page: "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  worker:
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Answers `/preview/`, the live preview of templates, and what it consists of; leaves every other path to the next one. */
export function servePreview(): Middleware {
  let files: Promise<ReadonlyMap<string, PreviewFile>> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== place && !ctx.path.startsWith(`${place}/`)) return next();
    if (ctx.method !== "GET" && ctx.method !== "HEAD") throw methodNotAllowed(ctx.method, ["GET", "HEAD"]);
    if (ctx.path === place) return redirect(ctx);
    files ??= previewFiles();
    const name = ctx.path.slice(place.length + 1);
    const file = (await files).get(name === "" ? page : name);
    if (file === undefined) throw notFound(ctx.path);
    await answer(ctx, file);
  };
}

/** Relative, because a proxy may have something in front of the path. */
function redirect(ctx: RequestContext): void {
  ctx.status = 308;
  ctx.set("Location", `preview/${ctx.search}`);
  ctx.body = "";
}

async function answer(ctx: RequestContext, { location, mediaType }: PreviewFile): Promise<void> {
  const { size, mtimeMs } = await stat(location);
  ctx.set("Content-Security-Policy", location.endsWith(".worker.min.mjs") ? policies.worker : policies.page);
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  ctx.set("Cross-Origin-Opener-Policy", "same-origin");
  // Asked for again each time, so that page and library are of one installation; mostly the answer is 304.
  ctx.set("Cache-Control", "no-cache");
  ctx.status = 200;
  ctx.etag = `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`;
  ctx.type = mediaType;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.length = size;
  ctx.body = ctx.method === "HEAD" ? "" : createReadStream(location);
}
