import type { CallOrigin } from "../plugins/live-plugin.js";
import { localeWithoutSession, pluginCall } from "../plugins/routing/plugin-call.js";
import { baseUrl } from "./base-url.js";
import { exposeHeaders } from "./cross-origin.js";
import { requestInput } from "./request-input.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

/** Hands the validated request to its plugin and answers with what comes back. */
export function dispatch(publicUrl: string | undefined): Middleware {
  return async (ctx) => {
    const { plugin, route } = targetOf(ctx);
    const origin = callOrigin(ctx, baseUrl(ctx, publicUrl));
    const answer = await plugin.call(pluginCall(route, requestInput(ctx), origin));
    if (ctx.state.abort.signal.aborted) return;
    ctx.status = answer.status;
    ctx.type = answer.mediaType;
    ctx.set("Cache-Control", "no-store");
    ctx.set(answer.headers);
    exposeHeaders(ctx, Object.keys(answer.headers));
    ctx.body = answer.body;
  };
}

function callOrigin(ctx: RequestContext, base: string): CallOrigin {
  const { session } = ctx.state;
  return {
    requestId: ctx.state.requestId,
    release: targetOf(ctx).release,
    session: session && { id: session.id, locale: session.locale, revision: session.revision },
    locale: session?.locale ?? localeWithoutSession,
    baseUrl: base,
    signal: ctx.state.abort.signal,
    deadline: targetOf(ctx).deadline,
  };
}
