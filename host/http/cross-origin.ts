// Not @koa/cors: it sends Vary: Origin for public responses, and allows private networks to all origins or none.
import { RequestError } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { isOfOtherPage } from "./own-names.js";
import type { Middleware, RequestContext } from "./request-state.js";

type CorsSettings = Pick<Configuration, "access" | "cors">;

/** Files, plugin operations and their jobs, which are meant for pages of clients. */
const forOtherPages = /^\/files\/|^\/api\/jobs\/[^/]|^(?:\/[^/]+)?\/EAIWS\/plugins\//;

const exposed =
  "X-Request-Id, Slipway-Plugin, Retry-After, Content-Disposition, Content-Range, Accept-Ranges, ETag, " +
  "Deprecation, Sunset, Link, Allow, Location, Preference-Applied, " +
  "Idempotent-Replayed";

const exposing = "Access-Control-Expose-Headers";

/** Whether pages of other sites are meant to use a path. */
export function isForOtherPages(path: string): boolean {
  return forOtherPages.test(path);
}

/** Exposes further headers of a response to allowed origins. */
export function exposeHeaders(ctx: RequestContext, names: readonly string[]): void {
  if (names.length === 0 || !ctx.res.hasHeader(exposing)) return;
  const known = ctx.response.get(exposing).split(", ");
  ctx.set(exposing, [...new Set([...known, ...names])].join(", "));
}

/**
 * CORS: answers preflights and marks responses, including errors. No cookies are involved. By default, plugins and
 * files are open to every origin; everything else is for the configured origins.
 */
export function crossOrigin(configuration: CorsSettings): Middleware {
  return async (ctx, next) => {
    const { origins, maxAge } = configuration.cors;
    const origin = ctx.get("Origin");
    const isPublic = isForOtherPages(ctx.path);
    const isOpen = isPublic && admitsEveryPage(configuration);
    const everyOrigin = isOpen || origins.includes("*");
    if (!everyOrigin) ctx.vary("Origin");
    // Public responses always carry the header: a cache may return them to a page later.
    if (!isOpen && (origin === "" || !(everyOrigin || origins.includes(origin)))) return next();

    ctx.set("Access-Control-Allow-Origin", everyOrigin ? "*" : origin);
    ctx.set(exposing, exposed);
    const method = ctx.get("Access-Control-Request-Method");
    if (ctx.method !== "OPTIONS" || origin === "" || method === "") return next();

    ctx.set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE");
    const headers = ctx.get("Access-Control-Request-Headers");
    if (headers !== "") ctx.set("Access-Control-Allow-Headers", headers);
    // A public page may reach a server in a private network only if its origin is configured.
    const isPrivate = ctx.get("Access-Control-Request-Private-Network") === "true";
    if (isPrivate && isPublic && origins.includes(origin))
      ctx.set("Access-Control-Allow-Private-Network", "true");
    ctx.set("Access-Control-Max-Age", String(maxAge));
    ctx.status = 204;
  };
}

/**
 * 403 `request-forbidden` for requests of unlisted origins without a session that may change something: no unguessable
 * id protects these operations, and CORS does not stop them from being sent.
 */
export function refuseUnlistedPages(
  configuration: CorsSettings & Pick<Configuration, "publicUrl">,
): Middleware {
  return async (ctx, next) => {
    const { origins, plugins } = configuration.cors;
    const isAllowed = plugins === "any" || origins.includes("*") || origins.includes(ctx.get("Origin"));
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    if (!isRead && ctx.state.session === undefined && !isAllowed && isOfOtherPage(ctx, configuration)) {
      throw new RequestError({
        id: "request-forbidden",
        code: 403,
        message:
          "A page of another origin may request this only with a session. The admin can allow its origin (cors.origins).",
      });
    }
    await next();
  };
}

/**
 * 403 `request-forbidden` for browser requests of foreign pages that CORS does not allow, so that visiting a page
 * cannot disable a plugin. `isPublic`: allowed when every origin is allowed.
 */
export function refuseForeignPages(
  configuration: Pick<Configuration, "publicUrl">,
  isPublic: boolean,
): Middleware {
  return async (ctx, next) => {
    const origin = ctx.get("Origin");
    // Set by the CORS middleware for configured origins; "*" is for public operations.
    const allowed = ctx.res.getHeader("Access-Control-Allow-Origin");
    const isAllowed = origin !== "" && (allowed === origin || (isPublic && allowed === "*"));
    if (!isAllowed && isOfOtherPage(ctx, configuration)) {
      throw new RequestError({
        id: "request-forbidden",
        code: 403,
        message:
          "A page of another origin may not send this request. The admin can allow its origin (cors.origins, publicUrl).",
      });
    }
    await next();
  };
}

/** Whether plugins and files are open to every origin. */
function admitsEveryPage({ access, cors }: CorsSettings): boolean {
  if (cors.plugins !== "auto") return cors.plugins === "any";
  return cors.origins.length === 0 && access.plugins === "open";
}
