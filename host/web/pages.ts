import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { methodNotAllowed, notFound } from "@slipway/sdk/runtime/host";
import type { Middleware, RequestContext } from "../http/request-state.js";
import { builtFolder, demoProject } from "../system/installation.js";

/** The pages by their first folder. All are one application, which shows the page that its address names. */
export type PageName = "workbench" | "admin" | "preview" | "dev" | "docs";

interface PageFile {
  location: string;
  mediaType: string;
}

const mediaTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

/** Allows scripts, styles, pictures and requests of this host only, nothing inline, no framing. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For the worker of the PDF library: a worker obeys the policy of its own file. */
const workerPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Further files of the PDF library: character maps, standard fonts, colour profiles, picture decoders. */
const libraryFolders = ["cmaps", "standard_fonts", "iccs", "wasm"];

/** Serves the paths below these pages, such as `/admin/`; passes on other paths. */
export function servePages(names: readonly PageName[]): Middleware {
  // Listed once; requests never open other files.
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined;
  return async (ctx, next) => {
    const [, page, rest] = /^\/([a-z]+)(?:\/(.*))?$/s.exec(ctx.path) ?? [];
    if (page === undefined || !names.some((name) => name === page)) return next();
    if (ctx.method !== "GET" && ctx.method !== "HEAD") throw methodNotAllowed(ctx.method, ["GET", "HEAD"]);
    if (rest === undefined) return redirect(ctx, page);
    files ??= pageFiles();
    const file = (await files).get(rest === "" ? "index.html" : rest);
    if (file === undefined) throw notFound(ctx.path);
    await answer(ctx, file);
  };
}

/**
 * Redirects browsers from `/` to the first page; other clients get 404.
 */
export function frontDoor([page]: readonly [PageName, ...PageName[]]): Middleware {
  return async (ctx, next) => {
    const isLook = ctx.path === "/" && (ctx.method === "GET" || ctx.method === "HEAD");
    // Clients that accept everything get the first type.
    if (!isLook || ctx.accepts("application/json", "text/html") !== "text/html") return next();
    ctx.vary("Accept");
    ctx.status = 303;
    ctx.set("Location", `${page}/`);
    ctx.body = "";
  };
}

/** The application, a sample project, Swagger UI, and the library that draws PDFs, by their paths below a page. */
async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const built = join(builtFolder, "web");
  const library = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const found = await Promise.all([
    filesOf(built),
    filesOf(join(built, "swagger-ui"), "swagger-ui/"),
    filesOf(join(library, "legacy", "build"), "pdfjs/", ".min.mjs"),
    ...libraryFolders.map((name) => filesOf(join(library, name), `pdfjs/${name}/`)),
  ]);
  const sample: PageFile = { location: demoProject, mediaType: "application/octet-stream" };
  return new Map([...found.flat(), ["sample-project.obk", sample]]);
}

async function filesOf(folder: string, prefix = "", ending = ""): Promise<[string, PageFile][]> {
  const members = await readdir(folder, { withFileTypes: true });
  return members
    .filter((member) => member.isFile() && member.name.endsWith(ending))
    .map(({ name }) => {
      const mediaType = mediaTypes[extname(name)] ?? "application/octet-stream";
      return [`${prefix}${name}`, { location: join(folder, name), mediaType }];
    });
}

/** Relative, because a proxy may add a path prefix. */
function redirect(ctx: RequestContext, page: string): void {
  ctx.status = 308;
  ctx.set("Location", `${page}/${ctx.search}`);
  ctx.body = "";
}

async function answer(ctx: RequestContext, { location, mediaType }: PageFile): Promise<void> {
  const { size, mtimeMs } = await stat(location);
  ctx.set("Content-Security-Policy", location.endsWith(".worker.min.mjs") ? workerPolicy : pagePolicy);
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  ctx.set("Cross-Origin-Opener-Policy", "same-origin");
  // Revalidated each time, so that all files are of one installation; the response is mostly 304.
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
