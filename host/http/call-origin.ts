import { type CallOrigin, localeWithoutSession, trimmedEnd } from "@slipway/sdk/runtime/host";
import type { RequestContext } from "./request-state.js";

const sane = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** The request as the origin of a call to a plugin. `deadline` is by `monotonicTime`, `publicUrl` the configured one. */
export function callOrigin(
  ctx: RequestContext,
  { release, deadline, publicUrl }: { release: string; deadline: number; publicUrl: string | undefined },
): CallOrigin {
  const { requestId, requester, abort, work, session } = ctx.state;
  return {
    requestId,
    client: requester,
    release,
    session: session && { id: session.id, locale: session.locale, revision: session.revision },
    locale: session?.locale ?? localeWithoutSession,
    baseUrl: baseUrl(ctx, publicUrl),
    signal: abort.signal,
    deadline,
    work,
  };
}

/**
 * The base URL of this host for the client, without a final slash: configured, from the request or a trusted proxy, or
 * the address of the socket.
 */
export function baseUrl(ctx: RequestContext, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return trimmedEnd(publicUrl, "/");
  const { protocol, host } = ctx.state.client;
  const named = `${protocol}://${host}`;
  if (sane.test(host) && URL.canParse(named)) return named;
  const { localAddress = "127.0.0.1", localPort = 80 } = ctx.req.socket;
  return `http://${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
}
