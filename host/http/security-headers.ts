import type { Configuration } from "../configuration/configuration.js";
import { isForOtherPages } from "./cross-origin.js";
import type { Middleware } from "./request-state.js";

/**
 * Security headers for an API: no frames, no sniffing, no referrer, no browser features. Pages and files override them.
 */
export function securityHeaders(configuration: Pick<Configuration, "publicUrl" | "security">): Middleware {
  const { publicUrl } = configuration;
  const isSecure = publicUrl !== undefined && new URL(publicUrl).protocol === "https:";
  return async (ctx, next) => {
    // Client pages embed these responses.
    const isForOthers = isForOtherPages(ctx.path);
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("X-Frame-Options", "DENY");
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    ctx.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    ctx.set("Cross-Origin-Resource-Policy", isForOthers ? "cross-origin" : "same-origin");
    if (!isForOthers) ctx.set("Cross-Origin-Opener-Policy", "same-origin");
    const { strictTransport } = configuration.security;
    if (isSecure && strictTransport > 0) ctx.set("Strict-Transport-Security", `max-age=${strictTransport}`);
    await next();
  };
}
