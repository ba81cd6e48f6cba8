/** By which names a host without keys may be asked, and which pages are its own. */
import { isIP } from "node:net";
import { RequestError, shownValue } from "@slipway/sdk";
import ipaddr from "ipaddr.js";
import type { Configuration } from "../configuration/configuration.js";
import { isLoopback } from "../system/addresses.js";
import type { Middleware, RequestContext } from "./request-state.js";

type OwnNames = Pick<Configuration, "host" | "hostNames" | "publicUrl">;

/** Name or address with an optional port, as `Host` has it (RFC 9112, section 3.2). */
const authority = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * 421 `request-misdirected` for requests by a name that is not the host's, as long as no key is asked for. The owner of any other
 * name can make it lead here: to a browser, the host is then the server of a foreign page, which may read and change everything.
 * `/healthz` answers every name: probes of load balancers ask by names of their own, and it says only that the process answers.
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
        message: `This host is not ${shownValue(other)}; without keys it answers only to the names in its setting hostNames.`,
      });
    }
    await next();
  };
}

/**
 * Whether a browser sends a request for a page that is not the host's own. Browsers say so by `Sec-Fetch-Site`, to servers without
 * TLS by `Origin` alone; other clients send neither.
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

/** What a request calls the host: by itself, as a trusted proxy was asked, and by an address in place of its path. */
function askedNames(ctx: RequestContext): string[] {
  const [, target] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(ctx.req.url ?? "") ?? [];
  // Without a name, as in HTTP/1.0, it is no browser who asks.
  return [ctx.get("Host"), ctx.state.client.host, target ?? ""].filter((name) => name !== "");
}

function isOwn(asked: string, ctx: RequestContext, { host, hostNames, publicUrl }: OwnNames): boolean {
  const name = authority.test(asked) ? nameOf(`http://${asked}`) : undefined;
  if (name === undefined) return false;
  if (isLoopback(name) || name.endsWith(".localhost")) return true;
  // The address of the connection, because a host may listen on all addresses of its machine.
  const named = [host, ctx.req.socket.localAddress ?? "", ...hostNames].map(urlOf);
  return [...named, publicUrl].some((own) => own !== undefined && nameOf(own) === name);
}

function urlOf(name: string): string {
  return `http://${isIP(name) === 6 ? `[${name}]` : name}`;
}

/** The name or address in a URL, of several ways to write one always the same; undefined when it has none. */
function nameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const name = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  // An IPv4 address inside of IPv6 is what sockets for both call it.
  return ipaddr.isValid(name) ? ipaddr.process(name).toString() : name;
}
