import { isIP } from "node:net";

/** Whether an address or name means this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  return isIP(host) === 4 ? host.startsWith("127.") : host === "::1";
}
