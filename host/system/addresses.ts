import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddress from "proxy-addr";

/** The origin of a request, as far as it can be trusted. */
export interface Client {
  /** Address of the client itself, behind trusted proxies; IPv4 in dotted form. */
  address: string;
  /** Whether the request came without a trusted proxy. */
  isDirect: boolean;
  /** Protocol of the request to the outermost trusted proxy. */
  protocol: "http" | "https";
  /** The name by which the client addresses the host, sent by the client or a trusted proxy. Not checked. */
  host: string;
}

/** Whether an address belongs to a trusted proxy. */
export type Trust = (address: string) => boolean;

const ranges: Record<string, string[]> = { private: ["uniquelocal"], loopback: ["loopback"] };

/** The check for trusted proxies. Throws for invalid addresses, ranges and names. */
export function trustOf(proxies: readonly string[]): Trust {
  if (proxies.length === 0) return () => false;
  const trusts = proxyAddress.compile(proxies.flatMap((proxy) => ranges[proxy] ?? [proxy]));
  return (address) => trusts(address, 0);
}

/** The origin of a request. Only headers that trusted proxies set themselves count. */
export function clientOf(request: IncomingMessage, trust: Trust): Client {
  const socketAddress = plainAddress(request.socket.remoteAddress ?? "");
  const host = request.headers.host ?? "";
  const protocol = "encrypted" in request.socket ? "https" : "http";
  if (!trust(socketAddress)) return { address: socketAddress, isDirect: true, protocol, host };
  // From the nearest to the farthest; hops behind the first untrusted one may be forged.
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

/** The value that the outermost trusted proxy has appended: earlier ones come from the client. */
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

/** An address without a port, which some proxies add, and without the IPv6 prefix of an IPv4 address. */
export function plainAddress(text: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return bare.replace(/^::ffff:(\d+\.)/i, "$1");
}

/** Whether an address or name means this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  return isIP(host) === 4 ? host.startsWith("127.") : host === "::1";
}

/** The address for calling a host that listens on an address, for a URL: wildcard addresses become loopback addresses. */
export function reachableAddress(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (isIP(host) !== 6) return host;
  return host === "::" ? "[::1]" : `[${host}]`;
}
