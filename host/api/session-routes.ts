import { Readable } from "node:stream";
import type Router from "@koa/router";
import { badRequest, SessionId, Validator } from "@slipway/sdk";
import type { RequestContext, RequestState } from "../middleware/request-state.js";
import { sessionNotFound } from "../request-errors.js";
import type { SessionRecord } from "../sessions/session-store.js";
import type { OpenSession, Sessions } from "../sessions/sessions.js";
import { type ReceiveOptions, withProject } from "./receive-project.js";

const checkId = new Validator().compile(SessionId, "sessionId");

/** `/api/sessions`: open, list, look at, replace, keep and close. */
export function sessionRoutes(
  router: Router<RequestState>,
  sessions: Sessions,
  receive: ReceiveOptions,
): void {
  router.post("/api/sessions", async (ctx) => {
    const opened = await withProject(ctx, receive, (project) => sessions.open(project));
    ctx.status = 201;
    ctx.set("Location", `/api/sessions/${opened.record.id}`);
    ctx.body = openAnswer(opened);
  });

  router.get("/api/sessions", async (ctx) => {
    const records = await sessions.list();
    ctx.body = { sessions: records.map(sessionAnswer) };
  });

  router.get("/api/sessions/:sessionId", async (ctx) => {
    ctx.body = sessionAnswer(await existing(ctx.params["sessionId"], (id) => sessions.find(id)));
  });

  router.get("/api/sessions/:sessionId/project", async (ctx) => {
    const record = await existing(ctx.params["sessionId"], (id) => sessions.find(id));
    ctx.body = wantsAssets(ctx)
      ? Readable.from(await existing(record.id, () => sessions.projectWithAssets(record)))
      : Buffer.from(await existing(record.id, () => sessions.project(record)));
    ctx.type = "application/json";
  });

  router.put("/api/sessions/:sessionId", async (ctx) => {
    const { id } = await existing(ctx.params["sessionId"], (wanted) => sessions.find(wanted));
    ctx.body = openAnswer(
      await withProject(ctx, receive, (project) => existing(id, () => sessions.replace(id, project))),
    );
  });

  router.post("/api/sessions/:sessionId/keepalive", async (ctx) => {
    ctx.body = sessionAnswer(await existing(ctx.params["sessionId"], (id) => sessions.use(id)));
  });

  router.delete("/api/sessions/:sessionId", async (ctx) => {
    await existing(ctx.params["sessionId"], async (id) => (await sessions.remove(id)) || undefined);
    ctx.status = 204;
  });
}

function sessionAnswer(record: SessionRecord) {
  return {
    sessionId: record.id,
    locale: record.locale,
    expiresAt: new Date(record.expiresAt).toISOString(),
    revision: record.revision,
    project: record.summary,
  };
}

function openAnswer({ record, warnings }: OpenSession) {
  return { ...sessionAnswer(record), warnings };
}

/** 400 for an id that is none; 404 with the id that clients know of unknown sessions. */
async function existing<T>(id: unknown, find: (id: string) => Promise<T | undefined>): Promise<T> {
  const result = checkId(id);
  if (!result.ok) throw badRequest("The request is not valid", result.violations);
  const found = await find(result.value.toLowerCase());
  if (found !== undefined) return found;
  throw sessionNotFound(result.value, 404);
}

function wantsAssets(ctx: RequestContext): boolean {
  const assets = ctx.query["assets"];
  if (assets === undefined || assets === "inline") return assets === "inline";
  const violation = { path: "query.assets", expected: '"inline"', received: JSON.stringify(assets) };
  throw badRequest("The request is not valid", [violation]);
}
