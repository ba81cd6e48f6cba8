import type { Middleware } from "./request-state.js";

/** The constant headers of an API: nothing here is a page, so nothing may be framed, sniffed or told on. */
export function securityHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("X-Frame-Options", "DENY");
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    ctx.set("Cross-Origin-Resource-Policy", "cross-origin");
    await next();
  };
}
