import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddress from "proxy-addr";

/** Where a request comes from, as far as that can be trusted. */
export interface Client {
  /** Of the client itself, behind the proxies that are trusted; IPv4 addresses in their own form. */
  address: string;
  /** No trusted proxy stands in between. */
  isDirect: boolean;
  /** What a trusted proxy was asked by. */
  protocol: "http" | "https";
  /** What the client calls the host: as it says itself, or as a trusted proxy says. Not checked. */
  host: string;
}

/** Tells whether an address is that of a trusted proxy. */
export type Trust = (address: string) => boolean;

const ranges: Record<string, string[]> = { private: ["uniquelocal"], loopback: ["loopback"] };

/** Which proxies are trusted. Throws for what is no address, no range and no known name. */
export function trustOf(proxies: readonly string[]): Trust {
  if (proxies.length === 0) return () => false;
  const trusts = proxyAddress.compile(proxies.flatMap((proxy) => ranges[proxy] ?? [proxy]));
  return (address) => trusts(address, 0);
}

/** Where a request comes from. Headers count from trusted proxies only, and only what they say themselves. */
export function clientOf(request: IncomingMessage, trust: Trust): Client {
  const socketAddress = plainAddress(request.socket.remoteAddress ?? "");
  const host = request.headers.host ?? "";
  const protocol = "encrypted" in request.socket ? "https" : "http";
  if (!trust(socketAddress)) return { address: socketAddress, isDirect: true, protocol, host };
  // From the nearest to the farthest; what comes behind the first that is not trusted can be made up.
  const hops = [socketAddress, ...listed(request, "x-forwarded-for").reverse().map(plainAddress)];
  const end = hops.findIndex((hop, index) => index > 0 && !trust(hop));
  const known = end === -1 ? hops : hops.slice(0, end + 1);
  const trusted = known.filter((hop) => trust(hop)).length;
  const forwardedProtocol = saidBy(trusted, listed(request, "x-forwarded-proto"))?.toLowerCase();
  return {
    address: known.findLast((hop) => isIP(hop) !== 0) ?? socketAddress,
    isDirect: hops.length === 1,
    protocol: forwardedProtocol === "https" || forwardedProtocol === "http" ? forwardedProtocol : protocol,
    host: saidBy(trusted, listed(request, "x-forwarded-host")) ?? host,
  };
}

/** Of values that proxies have appended, that of the outermost trusted one: those before it are the client's own. */
function saidBy(trustedHops: number, values: readonly string[]): string | undefined {
  return values.at(-Math.min(trustedHops, values.length));
}

function listed({ headers }: IncomingMessage, name: string): string[] {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(",") : (value ?? "");
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Without a port, which some proxies add, and without what IPv6 puts around an IPv4 address. */
export function plainAddress(text: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return bare.replace(/^::ffff:(\d+\.)/i, "$1");
}

/** Whether an address or name means this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  return isIP(host) === 4 ? host.startsWith("127.") : host === "::1";
}

/** What an address that a host listens on is called by, as a part of a URL: all of this machine can be listened on, but not called. */
export function reachableAddress(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (isIP(host) !== 6) return host;
  return host === "::" ? "[::1]" : `[${host}]`;
}
