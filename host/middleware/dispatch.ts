import type { PluginCall } from "../plugins/live-plugin.js";
import { baseUrl } from "./base-url.js";
import { type RequestInput, requestInput } from "./request-input.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

/** Locale of requests without a session (interface document, section 4.1). */
const localeWithoutSession = "en";

/** Hands the validated request to its plugin and answers with what comes back. */
export function dispatch(publicUrl: string | undefined): Middleware {
  return async (ctx) => {
    const { plugin } = targetOf(ctx);
    const answer = await plugin.call(pluginCall(ctx, requestInput(ctx), baseUrl(ctx, publicUrl)));
    if (ctx.state.abort.signal.aborted) return;
    ctx.status = answer.status;
    ctx.type = answer.mediaType;
    ctx.set("Cache-Control", "no-store");
    ctx.body = answer.body;
  };
}

function pluginCall(ctx: RequestContext, input: RequestInput, base: string): PluginCall {
  const { route, deadline } = targetOf(ctx);
  const { session } = ctx.state;
  return {
    requestId: ctx.state.requestId,
    route: `${route.method} ${route.path}`,
    body: JSON.stringify(input.body ?? null),
    query: JSON.stringify(input.query),
    params: JSON.stringify(input.params),
    session: session && { id: session.id, locale: session.locale, revision: session.revision },
    locale: session?.locale ?? localeWithoutSession,
    baseUrl: base,
    signal: ctx.state.abort.signal,
    deadline,
  };
}
