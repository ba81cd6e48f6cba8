import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { methodNotAllowed, notFound } from "@slipway/sdk/runtime/host";
import type { Middleware, RequestContext } from "../http/request-state.js";

/** A file that belongs to a page of the host. */
export interface PageFile {
  location: string;
  mediaType: string;
}

/** Files by their path below the page's place. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const mediaTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** The files directly in a folder, as entries of `PageFiles`; `prefix` is put in front of their names. */
export async function filesOf(
  folder: string,
  prefix = "",
  endings: readonly string[] = [""],
): Promise<[string, PageFile][]> {
  const members = await readdir(folder, { withFileTypes: true });
  return members
    .filter((member) => member.isFile() && endings.some((ending) => member.name.endsWith(ending)))
    .map(({ name }) => {
      const mediaType = mediaTypes[extname(name)] ?? "application/octet-stream";
      return [`${prefix}${name}`, { location: join(folder, name), mediaType }];
    });
}

/** A page that comes with the host. */
export interface Page {
  /** Path without a slash at its end, such as "/preview"; with one it answers with the first file. */
  place: string;
  /** Name of the first file. */
  first: string;
  /** All files, asked for once; nothing else is ever opened for a request. */
  files(): Promise<PageFiles>;
  /** Content-Security-Policy of a file by its name; `pagePolicy` where nothing else is said. */
  policy?(name: string): string | undefined;
}

/** Scripts, styles, pictures and requests of this host alone, nothing inline, in nobody's frame. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Answers what is below the page's place; leaves every other path to the next one. */
export function servePage(page: Page): Middleware {
  const { place, first } = page;
  let found: PageFiles | undefined;
  return async (ctx, next) => {
    if (ctx.path !== place && !ctx.path.startsWith(`${place}/`)) return next();
    if (ctx.method !== "GET" && ctx.method !== "HEAD") throw methodNotAllowed(ctx.method, ["GET", "HEAD"]);
    if (ctx.path === place) return redirect(ctx, place);
    found ??= await page.files();
    const name = ctx.path === `${place}/` ? first : ctx.path.slice(place.length + 1);
    const file = found.get(name);
    if (file === undefined) throw notFound(ctx.path);
    await answer(ctx, file, page.policy?.(name) ?? pagePolicy);
  };
}

/** Leads a person who opens the host's address in a browser to a page; other clients get 404 for `/` as for any such path. */
export function frontDoor({ place }: Pick<Page, "place">): Middleware {
  return async (ctx, next) => {
    const isLook = ctx.path === "/" && (ctx.method === "GET" || ctx.method === "HEAD");
    // Of what is named here, clients that take everything get the first.
    if (!isLook || ctx.accepts("application/json", "text/html") !== "text/html") return next();
    ctx.vary("Accept");
    ctx.status = 303;
    ctx.set("Location", `${place.slice(1)}/`);
    ctx.body = "";
  };
}

/** Relative, because a proxy may have something in front of the path. */
function redirect(ctx: RequestContext, place: string): void {
  ctx.status = 308;
  ctx.set("Location", `${place.slice(place.lastIndexOf("/") + 1)}/${ctx.search}`);
  ctx.body = "";
}

async function answer(ctx: RequestContext, { location, mediaType }: PageFile, policy: string): Promise<void> {
  const { size, mtimeMs } = await stat(location);
  ctx.set("Content-Security-Policy", policy);
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  ctx.set("Cross-Origin-Opener-Policy", "same-origin");
  // Asked for again each time, so that all files are of one installation; mostly the answer is 304.
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
