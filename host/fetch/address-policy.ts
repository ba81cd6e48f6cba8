import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { RequestError } from "@slipway/sdk";
import { checkLink, foreignServer, refusedLink } from "@slipway/sdk/runtime/host";
import ipaddr from "ipaddr.js";
import type { FetchConfiguration } from "../configuration/fetch-configuration.js";

/**
 * Decides which servers may be contacted: public servers by the allow-list; internal, private, loopback and link-local
 * addresses only when the server is listed with its port, whatever its name resolves to.
 */
export class AddressPolicy {
  /** `secure`: https only for public addresses. */
  constructor(
    private readonly configuration: Pick<FetchConfiguration, "allowedHosts" | "allowedInternalHosts">,
    private readonly secure = false,
  ) {}

  /** Throws for a URL whose scheme, host or port is not allowed, or whose host is a forbidden address. */
  checkUrl(url: URL): void {
    checkLink(url);
    if (this.isInternalAllowed(url)) return;
    if (this.secure && url.protocol !== "https:")
      throw refusedLink(`The link to ${url.host} must use https.`);
    const literal = addressOf(url.hostname);
    if (literal !== undefined && !isPublic(literal)) throw internalAddress(url);
    if (!this.configuration.allowedHosts.some((pattern) => isServer(pattern, url))) throw foreignServer(url);
  }

  /**
   * A lookup for the connection itself: checks every address and connects to a checked one, so that a name cannot
   * change its address in between.
   */
  lookupFor(url: URL): LookupFunction {
    const internal = this.isInternalAllowed(url);
    return (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, "", 0);
        if (!internal && !addresses.every(({ address }) => isPublic(address))) {
          // For the log only: clients get the error of an unknown name, so that they cannot probe internal names.
          return callback(new Error(internalAddress(url).message), "", 0);
        }
        answer(addresses, options.all === true, callback);
      });
    };
  }

  /** Whether the configuration lists the server explicitly, not only by "*". */
  isNamed(url: URL): boolean {
    const named = this.configuration.allowedHosts.filter((pattern) => !/^\*(:\d+)?$/.test(pattern));
    return this.isInternalAllowed(url) || named.some((pattern) => isServer(pattern, url));
  }

  private isInternalAllowed(url: URL): boolean {
    const named = `${url.hostname}:${url.port || usualPort(url)}`.toLowerCase();
    return this.configuration.allowedInternalHosts.some((each) => each.toLowerCase() === named);
  }
}

function internalAddress(url: URL): RequestError {
  return refusedLink(
    `${url.host} is an internal address, which the host does not contact unless its admin allows it (fetch.allowedInternalHosts).`,
  );
}

function answer(addresses: LookupAddress[], all: boolean, callback: Parameters<LookupFunction>[2]): void {
  const [first] = addresses;
  if (all) callback(null, addresses);
  else if (first !== undefined) callback(null, first.address, first.family);
  else callback(new Error("the name has no address"), "", 0);
}

/** Whether a pattern includes the server of an address: "*", "example.com", "*.example.com", each with an optional port. */
export function isServer(pattern: string, url: URL): boolean {
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  const asked = url.port || usualPort(url);
  if (port === undefined ? asked !== usualPort(url) : asked !== port) return false;
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (name === "*") return true;
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
}

function usualPort(url: URL): string {
  return url.protocol === "https:" ? "443" : "80";
}

function addressOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** The IPv6 range that IANA allocates for public networks. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an address is public. IPv4-mapped IPv6 addresses count as IPv4; compatible, translated and tunnelled ones are
 * never public, because their target is decided elsewhere.
 */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(globalUnicast));
}
