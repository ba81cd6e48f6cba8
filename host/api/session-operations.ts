import { Readable } from "node:stream";
import { ProjectDocument, pictureType, RequestError, SessionId, Type } from "@slipway/sdk";
import { notFound, type ShownPictures, type StepDetails, sessionNotFound } from "@slipway/sdk/runtime/host";
import type { Idempotency } from "../http/idempotency.js";
import { shownId } from "../observability/requests/request-names.js";
import {
  type IncomingProject,
  type ListedSession,
  listedSession,
  OpenedSession,
  openedSession,
  SessionAnswer,
  type Sessions,
  sessionAnswer,
} from "../sessions/sessions.js";
import { SessionList } from "./answers.js";
import { Nothing, ok, operation, Unread } from "./operation.js";
import { projectUpload, type ReceiveOptions, withProject } from "./receive-project.js";

const Id = Type.Object({ sessionId: SessionId });
const AssetOfSession = Type.Object({
  ...Id.properties,
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "That of the asset in the project." }),
});
const Form = Type.Object({
  form: Type.Optional(
    Type.Enum(["shown"], {
      description:
        "The picture as every program can show it: PNG or JPEG, upright, in sRGB. Without it, the bytes that were uploaded.",
    }),
  ),
});
const Locale = Type.Object({
  locale: Type.Optional(
    Type.String({ description: 'Such as "de_DE"; wins over what the project says of itself.' }),
  ),
});
const Assets = Type.Object({
  assets: Type.Optional(
    Type.Enum(["inline"], { description: "The project includes the bytes of its assets." }),
  ),
});

/** Milliseconds; longer than an opening takes, including its wait. */
const openingLease = 600_000;

const noEngine = { 503: ["engine-unavailable"] };
const unknownSession = { ...noEngine, 404: ["request-session-not-found"] };
const refusedProject = { 503: ["request-overloaded", "engine-unavailable"], 504: ["request-timeout"] };

/** `/api/sessions`: open, list, get, replace, keep alive and close. */
export function sessionOperations(
  { sessions, pictures }: { sessions: Sessions; pictures: ShownPictures },
  receive: ReceiveOptions,
  idempotency: Idempotency,
) {
  const common = { tag: "sessions", roles: ["sessions"], body: Unread } as const;
  const owner = {};
  const shownForm = async (original: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
    const picture = await pictures.shown(original, { owner, signal });
    if ("content" in picture) return picture.content;
    throw new RequestError({
      id: "request-not-found",
      code: 404,
      message: `The picture cannot be shown: ${picture.problem}.`,
    });
  };
  return [
    operation({
      ...common,
      method: "POST",
      isGuarded: "public",
      path: "/api/sessions",
      id: "openSession",
      summary: "Opens a session with a project",
      description: "The project is JSON, OBK or OBX, sent as raw body or as a file in a form.",
      params: Nothing,
      query: Locale,
      upload: projectUpload,
      answers: {
        201: {
          description: "The session.",
          headers: { Location: "Path of the session." },
          content: { "application/json": OpenedSession },
        },
      },
      errors: refusedProject,
      async handle(ctx, { query: { locale } }) {
        await withProject(ctx, receive, locale, (project) => {
          const request = { content: [project.bytes, project.locale ?? ""], lease: openingLease };
          return idempotency.once(ctx, request, async () => {
            const opened = await ctx.state.work.step(
              "open the project",
              () => sessions.open(project, ctx.state.reservedId),
              projectFacts(project),
            );
            ctx.status = 201;
            ctx.set("Location", `/api/sessions/${opened.record.id}`);
            ctx.body = openedSession(opened);
          });
        });
      },
    }),
    operation({
      ...common,
      method: "GET",
      path: "/api/sessions",
      id: "listSessions",
      summary: "Lists the open sessions",
      description: "Ids are shortened for callers without the role `sessions`.",
      roles: ["read", "sessions"],
      params: Nothing,
      query: Unread,
      answers: ok("The open sessions.", SessionList),
      errors: noEngine,
      async handle(ctx, { caller: { roles } }) {
        const answers = (await sessions.list()).map(listedSession);
        const hasRole = roles.includes("sessions");
        ctx.body = { sessions: hasRole ? answers : answers.map(withoutItsId) };
      },
    }),
    operation({
      ...common,
      method: "GET",
      path: "/api/sessions/:sessionId",
      id: "getSession",
      summary: "One session",
      params: Id,
      query: Unread,
      answers: ok("The session.", SessionAnswer),
      errors: unknownSession,
      async handle(ctx, { params: { sessionId } }) {
        ctx.body = sessionAnswer(await existing(sessionId, (id) => sessions.find(id)));
      },
    }),
    operation({
      ...common,
      method: "GET",
      path: "/api/sessions/:sessionId/project",
      id: "getProject",
      summary: "The project of a session",
      params: Id,
      query: Assets,
      answers: ok("The project.", ProjectDocument),
      errors: unknownSession,
      async handle(ctx, { params: { sessionId }, query: { assets } }) {
        const record = await existing(sessionId, (id) => sessions.find(id));
        ctx.body =
          assets === "inline"
            ? Readable.from(await existing(record.id, () => sessions.projectWithAssets(record)))
            : Buffer.from(await existing(record.id, () => sessions.project(record)));
        ctx.type = "application/json";
      },
    }),
    operation({
      ...common,
      method: "GET",
      path: "/api/sessions/:sessionId/assets/:sha256",
      id: "getAsset",
      summary: "A picture of the project of a session",
      params: AssetOfSession,
      query: Form,
      answers: {
        200: {
          description: "Its bytes.",
          headers: { ETag: "Its SHA-256, with `-shown` for that form." },
          content: { "image/png": undefined, "image/jpeg": undefined, "application/octet-stream": undefined },
        },
        304: { description: "Not modified." },
      },
      errors: { ...noEngine, 404: ["request-session-not-found", "request-not-found"] },
      async handle(ctx, { params: { sessionId, sha256 }, query: { form } }) {
        const record = await existing(sessionId, (id) => sessions.find(id));
        const original = await sessions.asset(record, sha256);
        if (original === undefined) throw notFound(ctx.path);
        const content = form === "shown" ? await shownForm(original, ctx.state.abort.signal) : original;
        ctx.status = 200;
        ctx.etag = form === "shown" ? `${sha256}-shown` : sha256;
        // Its name is the hash of its content, so it never changes.
        ctx.set("Cache-Control", "private, max-age=86400, immutable");
        ctx.type = pictureType(content)?.mediaType ?? "application/octet-stream";
        if (ctx.fresh) ctx.status = 304;
        else ctx.body = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      },
    }),
    operation({
      ...common,
      method: "PUT",
      isGuarded: "public",
      path: "/api/sessions/:sessionId",
      id: "replaceProject",
      summary: "Replaces the project of a session",
      params: Id,
      query: Locale,
      upload: projectUpload,
      answers: ok("The session.", OpenedSession),
      errors: { ...unknownSession, ...refusedProject, 409: ["request-conflict"] },
      async handle(ctx, { params: { sessionId }, query: { locale } }) {
        const { id } = await existing(sessionId, (wanted) => sessions.find(wanted));
        const replaced = await withProject(ctx, receive, locale, (project) =>
          existing(id, () =>
            ctx.state.work.step(
              "open the project",
              () => sessions.replace(id, project),
              projectFacts(project),
            ),
          ),
        );
        ctx.body = openedSession(replaced);
      },
    }),
    operation({
      ...common,
      method: "POST",
      isGuarded: "public",
      path: "/api/sessions/:sessionId/keepalive",
      id: "keepSession",
      summary: "Renews the lifetime of a session",
      params: Id,
      query: Unread,
      answers: ok("The session.", SessionAnswer),
      errors: unknownSession,
      async handle(ctx, { params: { sessionId } }) {
        ctx.body = sessionAnswer(await existing(sessionId, (id) => sessions.use(id)));
      },
    }),
    operation({
      ...common,
      method: "DELETE",
      isGuarded: "public",
      path: "/api/sessions/:sessionId",
      id: "closeSession",
      summary: "Closes a session",
      params: Id,
      query: Unread,
      answers: { 204: { description: "The session is closed." } },
      errors: unknownSession,
      async handle(ctx, { params: { sessionId } }) {
        await existing(sessionId, async (id) => (await sessions.close(id)) || undefined);
        ctx.status = 204;
      },
    }),
  ];
}

/** The full id would permit use of the session. */
function withoutItsId(answer: ListedSession): ListedSession {
  return { ...answer, sessionId: shownId(answer.sessionId) };
}

/** 404 with the error id of unknown sessions. */
async function existing<T>(sessionId: string, find: (id: string) => Promise<T | undefined>): Promise<T> {
  const found = await find(sessionId.toLowerCase());
  if (found !== undefined) return found;
  throw sessionNotFound(sessionId, 404);
}

function projectFacts({ bytes }: IncomingProject): StepDetails {
  return { facts: { "slipway.project.bytes": bytes.byteLength } };
}
