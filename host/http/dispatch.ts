import {
  type CallOrigin,
  localeWithoutSession,
  pluginCall,
  trimmedEnd,
  type Work,
} from "@slipway/sdk/runtime/host";
import { exposeHeaders } from "./cross-origin.js";
import { requestInput } from "./request-input.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

const sane = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Passes the validated request to its plugin and sends the answer. */
export function dispatch(publicUrl: string | undefined): Middleware {
  return async (ctx) => {
    const { plugin, route } = targetOf(ctx);
    const input = requestInput(ctx);
    const base = baseUrl(ctx, publicUrl);
    const answer = await ctx.state.work.step(
      `${plugin.name} ${route.method} ${route.path}`,
      (work) => plugin.call(pluginCall(route, input, callOrigin(ctx, base, work))),
      { facts: { "slipway.plugin": plugin.name, "slipway.plugin.version": plugin.version } },
    );
    if (ctx.state.abort.signal.aborted) return;
    ctx.status = answer.status;
    ctx.type = answer.mediaType;
    ctx.set("Cache-Control", "no-store");
    ctx.set(answer.headers);
    exposeHeaders(ctx, Object.keys(answer.headers));
    ctx.body = answer.body;
  };
}

function callOrigin(ctx: RequestContext, base: string, work: Work): CallOrigin {
  const { session } = ctx.state;
  return {
    requestId: ctx.state.requestId,
    client: ctx.state.requester,
    release: targetOf(ctx).release,
    session: session && { id: session.id, locale: session.locale, revision: session.revision },
    locale: session?.locale ?? localeWithoutSession,
    baseUrl: base,
    signal: ctx.state.abort.signal,
    deadline: targetOf(ctx).deadline,
    work,
  };
}

/**
 * The base URL of this host for the client, without a final slash: configured, from the request or a trusted proxy, or
 * the address of the socket.
 */
function baseUrl(ctx: RequestContext, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return trimmedEnd(publicUrl, "/");
  const { protocol, host } = ctx.state.client;
  const named = `${protocol}://${host}`;
  if (sane.test(host) && URL.canParse(named)) return named;
  const { localAddress = "127.0.0.1", localPort = 80 } = ctx.req.socket;
  return `http://${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
}
