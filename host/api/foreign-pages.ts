import { isIP } from "node:net";
import { RequestError } from "@slipway/sdk";
import { isLoopback } from "../access/loopback.js";
import type { Configuration } from "../configuration/configuration.js";
import type { Middleware, RequestContext } from "../middleware/request-state.js";

const foreign = new Set(["cross-site", "same-site"]);

/**
 * 403 `request-forbidden` for what browsers send on behalf of a page that is none of this host's and that CORS does not
 * allow: an admin who visits a page must not disable plugins by that, also when its name has been made to lead to this
 * host. Other clients send neither `Sec-Fetch-Site` nor `Origin`. `isPublic`: where every origin is allowed, all pages may.
 */
export function refuseForeignPages(configuration: HostNames, isPublic: boolean): Middleware {
  const names = ownNames(configuration);
  return async (ctx, next) => {
    const origin = ctx.get("Origin");
    // Set by the CORS middleware for the origins of the configuration; "*" is for what every page may ask.
    const allowed = ctx.res.getHeader("Access-Control-Allow-Origin");
    const isAllowed = origin !== "" && (allowed === origin || (isPublic && allowed === "*"));
    const site = ctx.get("Sec-Fetch-Site").toLowerCase();
    const isForeign = foreign.has(site) || (origin !== "" && !isOwnPage(ctx, origin, names));
    if (isForeign && !isAllowed) {
      throw new RequestError({
        id: "request-forbidden",
        code: 403,
        message:
          "Pages of other origins may not ask for this; the settings publicUrl and cors.origins name those that may.",
      });
    }
    await next();
  };
}

/**
 * Whether a page is one of this host's: its name is in the configuration, is the very one that the request is to, or means the
 * machine of the browser itself. Another address or short name says nothing: other servers have such, too.
 */
function isOwnPage(ctx: RequestContext, origin: string, names: ReadonlySet<string>): boolean {
  if (!/^https?:/i.test(origin) || !isOwn(origin, names)) return false;
  const name = nameOf(origin);
  const isAsked = name === nameOf(`http://${ctx.state.client.host}`);
  return (
    isAsked ||
    isLoopback(name) ||
    names.has(name) ||
    ctx.get("Sec-Fetch-Site").toLowerCase() === "same-origin"
  );
}

/**
 * 403 `request-forbidden` for requests to a name that is none of this host's: a page whose own name was made to lead here
 * could read everything, because to a browser it asks its own server. For hosts that one person uses for a while, such
 * as that of the preview, and for what this machine alone may ask for; others are behind names that they do not know.
 */
export function refuseForeignNames(configuration: HostNames): Middleware {
  const names = ownNames(configuration);
  return async (ctx, next) => {
    if (!isOwn(`http://${ctx.get("Host")}`, names)) {
      throw new RequestError({
        id: "request-forbidden",
        code: 403,
        message: "This host has no such name; the settings publicUrl and allowedAddresses give it some.",
      });
    }
    await next();
  };
}

type HostNames = Pick<Configuration, "host" | "allowedAddresses" | "publicUrl">;

function ownNames({ host, allowedAddresses, publicUrl }: HostNames): ReadonlySet<string> {
  const named = publicUrl === undefined ? [] : [nameOf(publicUrl)];
  return new Set([host, ...allowedAddresses, ...named].map((name) => name.toLowerCase()));
}

/** Names with a dot can belong to anybody and lead anywhere; addresses and names without one are not for sale. */
function isOwn(origin: string, names: ReadonlySet<string>): boolean {
  const name = nameOf(origin);
  if (name === "" || names.has(name)) return name !== "";
  return isIP(name) !== 0 || !name.includes(".") || name.endsWith(".localhost");
}

/** Name or address of a server without port and brackets; empty for what is no origin. */
function nameOf(origin: string): string {
  if (!URL.canParse(origin)) return "";
  return new URL(origin).hostname.replace(/\.$/, "").replace(/^\[(.*)\]$/, "$1");
}
