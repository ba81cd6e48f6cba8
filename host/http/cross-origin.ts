// Not @koa/cors: it sends Vary: Origin for what is open to every page, and allows private networks to all origins or to none.
import { RequestError } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { isOfOtherPage } from "./own-names.js";
import type { Middleware, RequestContext } from "./request-state.js";

type CorsSettings = Pick<Configuration, "access" | "cors">;

/** Files and operations of plugins are for the pages of clients. */
const forOtherPages = /^\/files\/|^(?:\/[^/]+)?\/EAIWS\/plugins\//;

const exposed =
  "X-Request-Id, Slipway-Plugin, Retry-After, Content-Disposition, Content-Range, Accept-Ranges, ETag, " +
  "Deprecation, Sunset, Link, Allow";

const exposing = "Access-Control-Expose-Headers";

/** Whether a path is one of those that pages of other sites are meant to use. */
export function isForOtherPages(path: string): boolean {
  return forOtherPages.test(path);
}

/** Lets pages of allowed origins read further headers of an answer. */
export function exposeHeaders(ctx: RequestContext, names: readonly string[]): void {
  if (names.length === 0 || !ctx.res.hasHeader(exposing)) return;
  ctx.set(exposing, [ctx.response.get(exposing), ...names].join(", "));
}

/**
 * CORS: answers preflights and marks responses, errors included. No cookies are in play. Plugins and files answer pages of
 * every origin unless the settings say otherwise; all else is for the configured origins.
 */
export function crossOrigin(configuration: CorsSettings): Middleware {
  return async (ctx, next) => {
    const { origins, maxAge } = configuration.cors;
    const origin = ctx.get("Origin");
    const isPublic = isForOtherPages(ctx.path);
    const isOpen = isPublic && admitsEveryPage(configuration);
    const everyOrigin = isOpen || origins.includes("*");
    if (!everyOrigin) ctx.vary("Origin");
    // Public responses always carry the header: a cache may pass them to a page later.
    if (!isOpen && (origin === "" || !(everyOrigin || origins.includes(origin)))) return next();

    ctx.set("Access-Control-Allow-Origin", everyOrigin ? "*" : origin);
    ctx.set(exposing, exposed);
    const method = ctx.get("Access-Control-Request-Method");
    if (ctx.method !== "OPTIONS" || origin === "" || method === "") return next();

    ctx.set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE");
    const headers = ctx.get("Access-Control-Request-Headers");
    if (headers !== "") ctx.set("Access-Control-Allow-Headers", headers);
    // A page of the internet may reach a server of an internal network only where the admin named its origin.
    const isPrivate = ctx.get("Access-Control-Request-Private-Network") === "true";
    if (isPrivate && isPublic && origins.includes(origin))
      ctx.set("Access-Control-Allow-Private-Network", "true");
    ctx.set("Access-Control-Max-Age", String(maxAge));
    ctx.status = 204;
  };
}

/**
 * 403 `request-forbidden` for what pages of unlisted origins send to operations that change or make something without a
 * session: no id that cannot be guessed protects these, and before they answered every page, browsers kept pages away.
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
          "Pages of other origins may ask for this only with a session; the setting cors.origins names those that may without.",
      });
    }
    await next();
  };
}

/**
 * 403 `request-forbidden` for what browsers send on behalf of a page that is none of this host's and that CORS does not
 * allow: an admin who visits a page must not disable plugins by that. `isPublic`: where every origin is allowed, all pages may.
 */
export function refuseForeignPages(
  configuration: Pick<Configuration, "publicUrl">,
  isPublic: boolean,
): Middleware {
  return async (ctx, next) => {
    const origin = ctx.get("Origin");
    // Set by the CORS middleware for the origins of the configuration; "*" is for what every page may ask.
    const allowed = ctx.res.getHeader("Access-Control-Allow-Origin");
    const isAllowed = origin !== "" && (allowed === origin || (isPublic && allowed === "*"));
    if (!isAllowed && isOfOtherPage(ctx, configuration)) {
      throw new RequestError({
        id: "request-forbidden",
        code: 403,
        message:
          "Pages of other origins may not send this request; the settings publicUrl and cors.origins list the permitted ones.",
      });
    }
    await next();
  };
}

/** Whether plugins and files answer pages of every origin. */
function admitsEveryPage({ access, cors }: CorsSettings): boolean {
  if (cors.plugins !== "auto") return cors.plugins === "any";
  return cors.origins.length === 0 && access.plugins === "open";
}
