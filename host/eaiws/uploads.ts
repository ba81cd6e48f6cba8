/** The addresses at which clients put files for their sessions: `/session-cache/{sessionId}/{id}/{name}`. */
import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { badRequest } from "@slipway/sdk";
import { artifactIdOf, methodNotAllowed, notFound, sessionNotFound } from "@slipway/sdk/runtime/host";
import { readBytes } from "../api/read-bytes.js";
import type { ArtifactStore } from "../files/artifact-store.js";
import type { Middleware, RequestContext } from "../http/request-state.js";
import { sendArtifact } from "../http/send-artifact.js";
import { Turns } from "../system/concurrency.js";
import type { SessionServiceParts } from "./service-parts.js";

const uploadPath =
  /^\/session-cache\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([A-Za-z0-9_-]{20,100})\/([A-Za-z0-9._-]{1,100})$/i;

/** An address for a file of a session. Who knows the session may put a file there, so it needs no key. */
export function uploadUrl(base: string, sessionId: string, suffix: string): string {
  return `${base}/session-cache/${sessionId}/${randomBytes(18).toString("base64url")}/file${suffix}`;
}

/**
 * The id of the file at an address in the store of generated files. It follows from the session, so that nobody can
 * replace or remove a file that was made for others, whose id a link to it has.
 */
function storedId(sessionId: string, id: string): string {
  return createHash("sha256").update(`upload ${sessionId.toLowerCase()} ${id}`).digest("base64url");
}

/** The end of the file's name: what the client asks for, as far as a name may have it, or the usual one. */
export function fileSuffix(fileType: "Project" | "CutBuffer" | "Import", suffix: string | undefined): string {
  const fit = (suffix ?? "").replaceAll(/[^A-Za-z0-9._-]/g, "").slice(-40);
  if (fit !== "") return fit;
  return { Project: ".obk", CutBuffer: ".obx", Import: "" }[fileType];
}

/** A file that `uri` names: one that was put for this session, or one that this host has made. */
export async function readUploaded(
  artifacts: ArtifactStore,
  sessionId: string,
  uri: string,
  take: (bytes: number) => void,
): Promise<{ name: string; bytes: Uint8Array }> {
  const id = artifactIdOf(uri) ?? uploadIdOf(uri, sessionId);
  const artifact = id === undefined ? undefined : await artifacts.find(id);
  if (artifact === undefined) {
    const expected = "an address of getUploadURL of this session, with a file, or of saveSession";
    throw badRequest("The file cannot be loaded", [{ path: "uri", expected, received: JSON.stringify(uri) }]);
  }
  take(artifact.bytes);
  return { name: artifact.name, bytes: await buffer(artifacts.read(artifact)) };
}

function uploadIdOf(uri: string, sessionId: string): string | undefined {
  const path = URL.canParse(uri) ? new URL(uri).pathname : "";
  const start = path.lastIndexOf("/session-cache/");
  const [, session, id] = uploadPath.exec(path.slice(Math.max(start, 0))) ?? [];
  if (id === undefined || session?.toLowerCase() !== sessionId) return undefined;
  return storedId(sessionId, id);
}

/** Takes, gives and removes the files of active sessions; passes other paths on. */
export function serveUploads(parts: SessionServiceParts): Middleware {
  // Two files that are written to one address at once would be mixed, and the space of one would stay counted.
  const changing = new Turns();
  return async (ctx, next) => {
    const { configuration, sessions, artifacts } = parts;
    if (!configuration.eaiws.sessions || !ctx.path.startsWith("/session-cache/")) return await next();
    ctx.state.operation = "sessionFile";
    const [, session = "", address = "", name = ""] = uploadPath.exec(ctx.path) ?? [];
    if (address === "") throw notFound(ctx.path);
    const id = storedId(session, address);
    if ((await sessions.use(session.toLowerCase())) === undefined) throw sessionNotFound(session, 404);
    switch (ctx.method) {
      case "PUT":
        return await put(ctx, parts, changing, { id, name });
      case "DELETE":
        await changing.take(id, () => artifacts.discard(id));
        ctx.status = 204;
        return;
      case "GET":
      case "HEAD": {
        const artifact = await artifacts.find(id);
        if (artifact === undefined) throw notFound(ctx.path);
        return await sendArtifact(ctx, artifacts, artifact);
      }
      default:
        throw methodNotAllowed(ctx.method, ["GET", "HEAD", "PUT", "DELETE"]);
    }
  };
}

async function put(
  ctx: RequestContext,
  { configuration, artifacts, room }: SessionServiceParts,
  changing: Turns,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await room.during(ctx, async (take) => {
    const content = await readBytes(ctx.req, configuration.limits.project, take, ctx.state.abort.signal);
    await changing.take(id, async () => {
      await artifacts.discard(id);
      await artifacts.create({ id, name, mediaType: "application/octet-stream", content });
    });
  });
  ctx.status = 204;
}
