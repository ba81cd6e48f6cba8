/** Checks host names against DNS rebinding while no keys are required, and the origin of browser requests. */
import { isIP } from "node:net";
import { RequestError, shownValue } from "@slipway/sdk";
import ipaddr from "ipaddr.js";
import type { Configuration } from "../configuration/configuration.js";
import { isLoopback } from "../system/addresses.js";
import { requestAddress } from "./request-address.js";
import type { Middleware, RequestContext } from "./request-state.js";

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
export function isOfOtherPage(ctx: RequestContext, { publicUrl }: Pick<OwnNames, "publicUrl">): boolean {
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
