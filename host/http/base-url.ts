import { trimmedEnd } from "@slipway/sdk/runtime/host";
import type { RequestContext } from "./request-state.js";

const sane = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * Where the client reaches this host: as configured, as it says itself or a trusted proxy says for it, or the socket's own
 * address. No final slash.
 */
export function baseUrl(ctx: RequestContext, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return trimmedEnd(publicUrl, "/");
  const { protocol, host } = ctx.state.client;
  const named = `${protocol}://${host}`;
  if (sane.test(host) && URL.canParse(named)) return named;
  const { localAddress = "127.0.0.1", localPort = 80 } = ctx.req.socket;
  return `http://${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
}
