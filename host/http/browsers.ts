/**
 * What protects people with browsers: security headers, host names against DNS rebinding while no keys are required, CORS,
 * and the origin of the page that sends a request.
 */

import { isIP } from "node:net";
import { RequestError, shownValue } from "@slipway/sdk";
import ipaddr from "ipaddr.js";
import type { Configuration } from "../configuration/configuration.js";
import { isLoopback } from "../system/addresses.js";
import { requestAddress } from "./request-address.js";
import type { Middleware, RequestContext } from "./request-state.js";

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

type OwnNames = Pick<Configuration, "host" | "hostNames" | "publicUrl">;

/** Name or address with an optional port, as in `Host` (RFC 9112, section 3.2). */
const authority = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * 421 `request-misdirected` for requests with a foreign host name while no keys are required. The owner of a foreign
 * name could point it to this host; for a browser, pages of that name then have full access. `/healthz` accepts every
 * name, because load balancers use their own and it reveals nothing.
 */
export function refuseOtherNames(
  configuration: OwnNames,
  access: { readonly isRequired: boolean },
): Middleware {
  return async (ctx, next) => {
    const isOpen = !access.isRequired && ctx.path !== "/healthz";
    const other = isOpen ? askedNames(ctx).find((name) => !isOwn(name, ctx, configuration)) : undefined;
    if (other !== undefined) {
      throw new RequestError({
        id: "request-misdirected",
        code: 421,
        message: `This host does not answer under the name ${shownValue(other)}. Use its address, or let its admin add the name (hostNames).`,
      });
    }
    await next();
  };
}

/**
 * Whether a browser sends a request for a foreign page. Browsers send `Sec-Fetch-Site`, or only `Origin` without TLS;
 * other clients send neither.
 */
function isOfOtherPage(ctx: RequestContext, { publicUrl }: Pick<OwnNames, "publicUrl">): boolean {
  const site = ctx.get("Sec-Fetch-Site").toLowerCase();
  if (site !== "") return site === "cross-site" || site === "same-site";
  const origin = ctx.get("Origin");
  if (origin === "") return false;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  if (page === undefined || !/^https?:$/.test(page.protocol)) return true;
  const asked = `${page.protocol}//${ctx.state.client.host}`;
  return ![asked, publicUrl].some(
    (own) => own !== undefined && URL.canParse(own) && new URL(own).host === page.host,
  );
}

/** The host names of a request: in `Host`, forwarded by a trusted proxy, and in an absolute URL. */
function askedNames(ctx: RequestContext): string[] {
  const { host } = requestAddress(ctx.req);
  // A request without a name, as in HTTP/1.0, is not from a browser.
  return [ctx.get("Host"), ctx.state.client.host, host ?? ""].filter((name) => name !== "");
}

function isOwn(asked: string, ctx: RequestContext, { host, hostNames, publicUrl }: OwnNames): boolean {
  const name = authority.test(asked) ? nameOf(`http://${asked}`) : undefined;
  if (name === undefined) return false;
  if (isLoopback(name) || name.endsWith(".localhost")) return true;
  // The connection's address, because a host may listen on all addresses.
  const named = [host, ctx.req.socket.localAddress ?? "", ...hostNames].map(urlOf);
  return [...named, publicUrl].some((own) => own !== undefined && nameOf(own) === name);
}

function urlOf(name: string): string {
  return `http://${isIP(name) === 6 ? `[${name}]` : name}`;
}

/** The normalised name or address in a URL; undefined without one. */
function nameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const name = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  // Dual-stack sockets report IPv4 addresses as IPv6.
  return ipaddr.isValid(name) ? ipaddr.process(name).toString() : name;
}

// Not @koa/cors: it sends Vary: Origin for public responses, and allows private networks to all origins or none.
type CorsSettings = Pick<Configuration, "access" | "cors">;

/** Files, plugin operations and their jobs, which are meant for pages of clients. */
const forOtherPages = /^\/files\/|^\/api\/jobs\/[^/]|^(?:\/[^/]+)?\/EAIWS\/plugins\//;

const exposed =
  "X-Request-Id, Slipway-Plugin, Retry-After, Content-Disposition, Content-Range, Accept-Ranges, ETag, " +
  "Deprecation, Sunset, Link, Allow, Location, Preference-Applied, " +
  "Idempotent-Replayed";

const exposing = "Access-Control-Expose-Headers";

/** Whether pages of other sites are meant to use a path. */
function isForOtherPages(path: string): boolean {
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
