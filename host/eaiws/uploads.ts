/** The addresses at which clients put files for their sessions: `/session-cache/{sessionId}/{id}/{name}`. */
import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { badRequest, RequestError, shownValue } from "@slipway/sdk";
import {
  type Artifact,
  artifactIdOf,
  methodNotAllowed,
  notFound,
  sessionNotFound,
} from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { ArtifactGone } from "../files/files.js";
import { readBytes } from "../http/body-reader.js";
import { sendArtifact } from "../http/dispatch.js";
import type { Middleware, RequestContext } from "../http/request-state.js";
import type { Upload } from "../sessions/sessions.js";
import type { SessionServiceParts } from "./service-parts.js";

type Parts = Pick<SessionServiceParts, "artifacts" | "sessions">;

const uploadPath =
  /^\/session-cache\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([A-Za-z0-9_-]{20,100}\/[A-Za-z0-9._-]{1,100})$/i;

/**
 * A new address for a file of a session; undefined for a session that is gone. Who knows the address may put a file there,
 * so it needs no key. The oldest one goes beyond `eaiws.maximumUploads`.
 */
export async function uploadUrl(
  parts: Parts & Pick<SessionServiceParts, "configuration">,
  base: string,
  sessionId: string,
  suffix: string,
): Promise<string | undefined> {
  const address = `${randomBytes(18).toString("base64url")}/file${suffix}`;
  const orphans = await changeUploads(parts, sessionId, (uploads) =>
    [...uploads, { address }].slice(-parts.configuration.eaiws.maximumUploads),
  );
  await discardAll(parts.artifacts, orphans);
  return orphans !== undefined ? `${base}/session-cache/${sessionId}/${address}` : undefined;
}

/** The end of the file's name: what the client asks for, as far as a name may have it, or the usual one. */
export function fileSuffix(fileType: "Project" | "CutBuffer" | "Import", suffix: string | undefined): string {
  const fit = (suffix ?? "").replaceAll(/[^A-Za-z0-9._-]/g, "").slice(-40);
  if (fit !== "") return fit;
  return { Project: ".obk", CutBuffer: ".obx", Import: "" }[fileType];
}

/**
 * A file that `uri` names: one that was put for a session, such as the one of which this is a context, or one that this host has
 * made. A client that knows the address may read it anyway. 400 `request-bad-request` for others.
 */
export async function readUploaded(
  parts: Parts,
  uri: string,
  take: (bytes: number) => void,
): Promise<{ name: string; bytes: Uint8Array }> {
  for (;;) {
    const artifact = await namedFile(parts, uri);
    if (artifact === undefined) {
      const expected = "an address of getUploadURL with a file, or one of saveSession or copy";
      throw badRequest("The file cannot be loaded", [{ path: "uri", expected, received: shownValue(uri) }]);
    }
    take(artifact.bytes);
    try {
      return { name: artifact.name, bytes: await buffer(parts.artifacts.read(artifact)) };
    } catch (error) {
      // Another file may be in its place.
      if (!(error instanceof ArtifactGone)) throw error;
    }
  }
}

async function namedFile(parts: Parts, uri: string): Promise<Artifact | undefined> {
  const id = artifactIdOf(uri);
  if (id !== undefined) return await parts.artifacts.find(id);
  const path = URL.canParse(uri) ? new URL(uri).pathname : "";
  const start = path.lastIndexOf("/session-cache/");
  const [, session = "", address] = uploadPath.exec(path.slice(Math.max(start, 0))) ?? [];
  return await uploadedFile(parts, session.toLowerCase(), address);
}

/** The file at an address; one that is replaced meanwhile is looked for again. */
async function uploadedFile(
  { sessions, artifacts }: Parts,
  sessionId: string,
  address: string | undefined,
): Promise<Artifact | undefined> {
  let gone: string | undefined;
  for (;;) {
    const { file } = (await sessions.uploads(sessionId)).find((each) => each.address === address) ?? {};
    if (file === undefined || file.id === gone) return undefined;
    const artifact = await artifacts.find(file.id);
    if (artifact !== undefined) return artifact;
    gone = file.id;
  }
}

/** Sends the file at an address, or the one that has replaced it before it was read. */
async function get(ctx: RequestContext, parts: Parts, sessionId: string, address: string): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const artifact = await uploadedFile(parts, sessionId, address);
    if (artifact === undefined || artifact.id === last) throw notFound(ctx.path);
    last = artifact.id;
    try {
      return await sendArtifact(ctx, parts.artifacts, artifact);
    } catch (error) {
      if (!(error instanceof RequestError && error.code === 404)) throw error;
    }
  }
}

/** Takes, gives and removes the files of active sessions; passes other paths on. */
export function serveUploads(parts: SessionServiceParts): Middleware {
  return async (ctx, next) => {
    const { configuration, sessions, artifacts } = parts;
    if (!configuration.eaiws.sessions || !ctx.path.startsWith("/session-cache/")) return await next();
    ctx.state.operation = "sessionFile";
    const [, session = "", address = ""] = uploadPath.exec(ctx.path) ?? [];
    if (address === "") throw notFound(ctx.path);
    const id = session.toLowerCase();
    if ((await sessions.use(id)) === undefined) throw sessionNotFound(session, 404);
    const isGiven = (await sessions.uploads(id)).some((each) => each.address === address);
    if (!isGiven) throw notFound(ctx.path);
    switch (ctx.method) {
      case "PUT":
        return await put(ctx, parts, id, address);
      case "DELETE":
        await discardAll(
          artifacts,
          await changeUploads(parts, id, (uploads) =>
            uploads.map((each) => (each.address === address ? { address } : each)),
          ),
        );
        ctx.status = 204;
        return;
      case "GET":
      case "HEAD":
        return await get(ctx, parts, id, address);
      default:
        throw methodNotAllowed(ctx.method, ["GET", "HEAD", "PUT", "DELETE"]);
    }
  };
}

/** Each file is a new one in the store, so that the previous one stays until the new one is complete. */
async function put(
  ctx: RequestContext,
  parts: SessionServiceParts,
  sessionId: string,
  address: string,
): Promise<void> {
  const { configuration, artifacts, room } = parts;
  const limit = Math.min(configuration.limits.project, configuration.eaiws.maximumUploadBytes);
  await room.during(ctx, async (take) => {
    const content = await readBytes(ctx.req, limit, take, ctx.state.abort.signal);
    const name = address.slice(address.indexOf("/") + 1);
    const { id, bytes } = await artifacts.create({ name, mediaType: "application/octet-stream", content });
    let isPlaced = false;
    let orphans: readonly string[] = [id];
    try {
      const left = await changeUploads(parts, sessionId, (uploads) => {
        isPlaced = uploads.some((each) => each.address === address);
        return isPlaced ? withFile(uploads, { address, file: { id, bytes } }, configuration.eaiws) : uploads;
      });
      if (left === undefined || !isPlaced) throw notFound(ctx.path);
      orphans = left;
    } finally {
      await discardAll(artifacts, orphans);
    }
  });
  ctx.status = 204;
}

/** The addresses with a file in its place; older files go as far as it takes for `eaiws.maximumUploadBytes`. */
function withFile(
  uploads: readonly Upload[],
  placed: Required<Upload>,
  { maximumUploadBytes }: Pick<Configuration["eaiws"], "maximumUploadBytes">,
): Upload[] {
  let free = maximumUploadBytes - placed.file.bytes;
  const others = uploads
    .filter(({ address }) => address !== placed.address)
    .toReversed()
    .map(({ address, file }) => {
      free -= file?.bytes ?? 0;
      return file === undefined || free < 0 ? { address } : { address, file };
    });
  return [...others.toReversed(), placed];
}

/** Closes a session, with the files that were put for it; false for one that is not active. */
export async function closeSession(parts: Parts, sessionId: string): Promise<boolean> {
  await discardAll(parts.artifacts, await changeUploads(parts, sessionId, () => []));
  return await parts.sessions.close(sessionId);
}

/** Changes the addresses of a session; returns the files that are no longer referenced, or undefined for a session that is gone. */
async function changeUploads(
  { sessions }: Parts,
  sessionId: string,
  change: (uploads: readonly Upload[]) => readonly Upload[],
): Promise<string[] | undefined> {
  let stay = new Set<string>();
  const before = await sessions.changeUploads(sessionId, (uploads) => {
    const next = change(uploads);
    stay = new Set(next.flatMap(({ file }) => file?.id ?? []));
    return next;
  });
  return before?.flatMap(({ file }) => file?.id ?? []).filter((id) => !stay.has(id));
}

async function discardAll(artifacts: Parts["artifacts"], ids: readonly string[] | undefined): Promise<void> {
  for (const id of ids ?? []) await artifacts.discard(id);
}
