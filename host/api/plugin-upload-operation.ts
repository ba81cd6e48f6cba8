import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { badRequest, Type } from "@slipway/sdk";
import { bodyTooLarge } from "@slipway/sdk/runtime/host";
import { unreadable } from "../http/body-reader.js";
import { hasIdempotencyKey, type Idempotency } from "../http/idempotency.js";
import { type MultipartBody, withMultipart } from "../http/koa-body-adapter.js";
import type { RequestContext } from "../http/request-state.js";
import { incomingFile, isPending, type PluginInstaller } from "../plugins/installation/installation.js";
import { errorCode } from "../system/errors.js";
import { unsupportedMediaType } from "../system/request-errors.js";
import { AddedPlugin } from "./answers.js";
import { Nothing, operation, Unread, withoutPlace } from "./operation.js";
import { answer } from "./plugin-operations.js";

const form = "multipart/form-data";
const archiveTypes = ["application/gzip", "application/x-tar", "application/zip", "application/octet-stream"];
const upload = {
  "application/gzip": undefined,
  "application/x-tar": undefined,
  "application/zip": undefined,
  "application/octet-stream": undefined,
  [form]: Type.Object({ plugin: Type.String({ format: "binary", description: "The archive, as a file." }) }),
};

/** Limit for text fields in a form, which are not used. */
const formTexts = 64 * 1024;

/** Milliseconds; longer than an installation takes. */
const installationLease = 600_000;

/** `POST /api/plugins`: receives an archive and waits until the plugin serves or is refused. */
export function pluginUploadOperation(installer: PluginInstaller, idempotency: Idempotency) {
  const added = (description: string) => ({
    description,
    content: { "application/json": AddedPlugin },
  });
  return operation({
    method: "POST",
    path: "/api/plugins",
    id: "addPlugin",
    tag: "plugins",
    summary: "Adds a plugin or a version",
    description:
      "Takes a .tgz as `slipway plugin pack` and `npm pack` make them, a .tar or a .zip, as the body or as the file `plugin` of a form. It goes into the first drop-in folder, named after its package and version. What is refused, or does not start, is taken out again; what answered before goes on. Where hosts share an engine, all of them take it at once or none does; responds once all serve it.",
    roles: ["operate"],
    isGuarded: true,
    params: Nothing,
    query: Type.Object({
      force: Type.Optional(
        Type.Boolean({
          description:
            "Where hosts share an engine: go on without those that cannot take it; they answer nothing for plugins until they can.",
        }),
      ),
    }),
    body: Unread,
    upload,
    answers: {
      201: added("It serves, or stands by until a release asks for it."),
      202: added("It lies there and is still on its way; the list of plugins tells what becomes of it."),
    },
    errors: {
      409: ["plugin-conflict"],
      413: ["request-too-large"],
      415: ["request-unsupported-media-type"],
      422: ["plugin-rejected"],
      503: ["request-overloaded"],
    },
    async handle(ctx, { query: { force = false } }) {
      requireArchive(ctx);
      // With an idempotency key, a client that reconnects gets the outcome.
      const gone = hasIdempotencyKey(ctx) ? new AbortController().signal : ctx.state.abort.signal;
      const terms = { lease: installationLease, outlivesClient: true };
      await idempotency.onceReceived(ctx, terms, async (received) => {
        const place = async (file: string): Promise<void> => {
          await receive(ctx, file, installer.limit);
          await received([await digestOf(file)]);
        };
        const { state, agreed } = await installer.install(place, { gone, isForced: force });
        ctx.state.auditDetails = { plugin: `${state.name}@${state.version}` };
        ctx.status = isPending(state) ? 202 : 201;
        answer(ctx, { plugin: withoutPlace(state) }, agreed);
      });
    },
  });
}

/** Refuses a Content-Encoding: archives are already compressed. */
function requireArchive(ctx: RequestContext): void {
  const accepted = Object.keys(upload);
  if (!accepted.includes(ctx.request.type.toLowerCase()))
    throw unsupportedMediaType(ctx.get("Content-Type"), accepted);
  const encoding = ctx.get("Content-Encoding").toLowerCase();
  if (encoding !== "" && encoding !== "identity")
    throw unsupportedMediaType(`with the encoding ${encoding}`, archiveTypes);
}

async function receive(ctx: RequestContext, file: string, limit: number): Promise<void> {
  if (ctx.request.type.toLowerCase() !== form) return await write(ctx.req, file, limit);
  const folder = dirname(file);
  const options = { folder, limit, textLimit: formTexts, filename: () => basename(incomingFile(folder)) };
  await withMultipart(ctx, options, (body) => rename(fileOf(body), file));
}

function fileOf({ files, fields }: MultipartBody): string {
  const [file, another] = files;
  if (file !== undefined && another === undefined && Object.keys(fields).length === 0) return file.path;
  const received = `${files.length} files and ${Object.keys(fields).length} texts`;
  throw badRequest({ message: `The form must have one file and nothing else, but has ${received}.` }, [
    { path: "plugin", expected: "one file and nothing else", received },
  ]);
}

async function digestOf(file: string): Promise<Uint8Array> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest();
}

/** 413 beyond the limit. */
async function write(request: IncomingMessage, file: string, limit: number): Promise<void> {
  const handle = await open(file, "wx");
  try {
    let length = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > limit) throw bodyTooLarge(limit);
      await handle.appendFile(chunk);
    }
  } catch (error) {
    throw errorCode(error) === "ECONNRESET" ? unreadable("the connection ended before the body did") : error;
  } finally {
    await handle.close();
  }
}
