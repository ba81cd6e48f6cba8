import { randomUUID } from "node:crypto";
import type { Log } from "@slipway/sdk";
import { logWith } from "../log.js";
import type { Middleware, RequestContext } from "./request-state.js";

const saneId = /^[A-Za-z0-9._:-]{1,100}$/;

/** Gives the request an id (the client's own when it is harmless) and writes one line when it is over. */
export function requestLog(log: Log): Middleware {
  return async (ctx, next) => {
    const wanted = ctx.get("X-Request-Id");
    ctx.state.requestId = saneId.test(wanted) ? wanted : randomUUID();
    ctx.state.log = logWith(log, { requestId: ctx.state.requestId });
    ctx.state.arrived = Date.now();
    ctx.state.abort = new AbortController();
    ctx.set("X-Request-Id", ctx.state.requestId);
    const started = performance.now();
    ctx.res.once("close", () => {
      const finished = ctx.res.writableFinished;
      if (!finished) ctx.state.abort.abort(new Error("The client went away"));
      writeLine(ctx, performance.now() - started, finished);
    });
    await next();
  };
}

function writeLine(ctx: RequestContext, milliseconds: number, finished: boolean): void {
  const { session, target } = ctx.state;
  ctx.state.log.info(finished ? "request" : "request without its whole answer", {
    method: ctx.method,
    path: loggedPath(ctx.path),
    status: ctx.res.statusCode,
    milliseconds: Math.round(milliseconds * 10) / 10,
    client: ctx.ip,
    ...(target === undefined ? {} : { plugin: `${target.plugin.name}@${target.plugin.version}` }),
    ...(session === undefined ? {} : { session: loggedId(session.id) }),
  });
}

const longestPath = 300;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const fileId = /^\/files\/[^/]+/;
/** Of a template of a store, behind its plain key. */
const storeKey = /(?<=~|%7E)[A-Za-z0-9_-]{32}/gi;

/**
 * The path alone, because the query may hold a session id. Ids of sessions, files and templates of stores are as good as keys; what is
 * left of one is enough to find its lines again.
 */
function loggedPath(path: string): string {
  const shown = path
    .replace(uuid, loggedId)
    .replace(fileId, (file) => `/files/${loggedId(file.slice(7))}`)
    .replace(storeKey, loggedId);
  return shown.slice(0, longestPath);
}

function loggedId(id: string): string {
  return `${id.slice(0, 8)}…`;
}
