import { isIP } from "node:net";

/** What an address that a host listens on is called by, as a part of a URL: all of this machine can be listened on, but not called. */
export function reachableAddress(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (isIP(host) !== 6) return host;
  return host === "::" ? "[::1]" : `[${host}]`;
}
