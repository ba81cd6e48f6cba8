import type { Log } from "@slipway/sdk";
import { type PluginAnswer, pluginCall, requestedSession, sessionNotFound } from "@slipway/sdk/runtime/host";
import type { ArtifactStore } from "../files/files.js";
import { storedContent } from "../jobs/stored-answer.js";
import type { SessionRecord, Sessions } from "../sessions/sessions.js";
import { isEngineUnavailable } from "../system/request-errors.js";
import { callOrigin } from "./call-origin.js";
import { exposeHeaders } from "./cross-origin.js";
import { givenInput, type Middleware, type RequestContext, requestInput, targetOf } from "./request-state.js";
import { sendArtifact } from "./send-artifact.js";

/** Passes the validated request to its plugin and sends the answer. */
export function dispatch(publicUrl: string | undefined, artifacts: ArtifactStore): Middleware {
  return async (ctx) => {
    const { plugin, route, release, deadline } = targetOf(ctx);
    const input = requestInput(ctx);
    const origin = callOrigin(ctx, { release, deadline, publicUrl });
    const answer = await ctx.state.work.step(
      `${plugin.name} ${route.method} ${route.path}`,
      (work) => plugin.call(pluginCall(route, input, { ...origin, work })),
      { facts: { "slipway.plugin": plugin.name, "slipway.plugin.version": plugin.version } },
    );
    if (ctx.state.abort.signal.aborted) return;
    ctx.state.answered = storedContent(answer.content);
    ctx.set("Cache-Control", "no-store");
    ctx.set(answer.headers);
    exposeHeaders(ctx, Object.keys(answer.headers));
    await sendContent(ctx, answer.content, artifacts);
  };
}

/** Sends what a plugin answered, with 200 unless it is a file or a redirect. */
export async function sendContent(
  ctx: RequestContext,
  content: PluginAnswer["content"],
  artifacts: ArtifactStore,
): Promise<void> {
  if (content.kind === "file") return await sendArtifact(ctx, artifacts, content.file);
  if (content.kind === "redirect") {
    ctx.body = null;
    ctx.status = 303;
    ctx.set("Location", content.location);
    return;
  }
  ctx.status = 200;
  ctx.type = content.mediaType;
  if (ctx.type === "text/html") ctx.set("Content-Security-Policy", pluginPagePolicy);
  ctx.body = content.body;
}

/** Pages of plugins share their origin with the admin page, which keeps a key. */
const pluginPagePolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'";

/** Finds the session named in body or query, and renews its lifetime. 400 when malformed, 422 when not active. */
export function session(sessions: Pick<Sessions, "use" | "find">): Middleware {
  return async (ctx, next) => {
    const { plugin, route } = targetOf(ctx);
    const id = requestedSession(plugin, route, givenInput(ctx));
    if (id !== undefined) {
      const { work, log } = ctx.state;
      ctx.state.session = await work.step("find the session", () => findSession(sessions, id, log));
    }
    await next();
  };
}

/**
 * The session with an id, its lifetime renewed; rejects with 422 when it is not active. A failed renewal, for example on a
 * full disk, does not prevent use of the session; the next request renews it.
 */
export async function findSession(
  sessions: Pick<Sessions, "use" | "find">,
  id: string,
  log: Log,
): Promise<SessionRecord> {
  const found = await sessions.use(id).catch((error: unknown) => {
    if (isEngineUnavailable(error)) throw error;
    log.warn("The lifetime of a session could not be renewed", { session: id.slice(0, 8), error });
    return sessions.find(id);
  });
  if (found === undefined) throw sessionNotFound(id);
  return found;
}
