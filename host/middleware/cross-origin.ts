import type { Configuration } from "../configuration/configuration.js";
import type { Middleware, RequestContext } from "./request-state.js";

const exposed =
  "X-Request-Id, Slipway-Plugin, Retry-After, Content-Disposition, ETag, Deprecation, Sunset, Link";

const exposing = "Access-Control-Expose-Headers";

/** Lets pages of allowed origins read further headers of an answer. */
export function exposeHeaders(ctx: RequestContext, names: readonly string[]): void {
  if (names.length === 0 || !ctx.res.hasHeader(exposing)) return;
  ctx.set(exposing, [ctx.response.get(exposing), ...names].join(", "));
}

/** CORS for the configured origins: answers preflights and marks responses. No cookies are in play. */
export function crossOrigin(configuration: Configuration["cors"]): Middleware {
  return async (ctx, next) => {
    const { origins, maxAge } = configuration;
    const everyOrigin = origins.includes("*");
    const origin = ctx.get("Origin");
    const allowed = origin !== "" && (everyOrigin || origins.includes(origin));
    if (!everyOrigin) ctx.vary("Origin");
    if (!allowed) return next();

    ctx.set("Access-Control-Allow-Origin", everyOrigin ? "*" : origin);
    ctx.set(exposing, exposed);
    const method = ctx.get("Access-Control-Request-Method");
    if (ctx.method !== "OPTIONS" || method === "") return next();

    ctx.set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE");
    const headers = ctx.get("Access-Control-Request-Headers");
    if (headers !== "") ctx.set("Access-Control-Allow-Headers", headers);
    ctx.set("Access-Control-Max-Age", String(maxAge));
    ctx.status = 204;
  };
}
