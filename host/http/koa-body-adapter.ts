/** Forms with files. Isolates koa-body: its options and its errors. */
import { rm, stat } from "node:fs/promises";
import { badRequest, shownValue } from "@slipway/sdk";
import { bodyTooLarge, unreadableBody } from "@slipway/sdk/runtime/host";
import { storageError, stored } from "../system/request-errors.js";
import type { RequestContext } from "./request-state.js";

/** Loads the reader of forms. It is a quarter of the code of a host, so its start does not wait for it; an early form does. */
export const loadFormReader = () => import("koa-body");

/** A file of a multipart body, on disk until the reading function ends. */
interface UploadedFile {
  path: string;
  /** As sent by the client; only its extension is used. */
  filename: string;
  mediaType: string;
}

/** A complete form; its files exist only while it is used. */
export interface MultipartBody {
  fields: Record<string, string>;
  files: UploadedFile[];
}

export interface MultipartOptions {
  /** Folder for its files until the reading function ends. */
  folder: string;
  /** Maximum bytes of all files. */
  limit: number;
  /** Maximum bytes of all text fields, which are held in memory. Default: `limit`. */
  textLimit?: number;
  /** Creates file names. Default: random names. */
  filename?: () => string;
}

/** Reads a multipart body, passes it to `use`, and always removes its files. */
export async function withMultipart<T>(
  ctx: RequestContext,
  options: MultipartOptions,
  use: (body: MultipartBody) => Promise<T>,
): Promise<T> {
  const written: string[] = [];
  const { koaBody } = await loadFormReader();
  const read = koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    formidable: {
      uploadDir: options.folder,
      maxFiles: 4,
      maxFields: 20,
      maxFileSize: options.limit,
      maxTotalFileSize: options.limit,
      maxFieldsSize: options.textLimit ?? options.limit,
      allowEmptyFiles: true,
      minFileSize: 0,
      ...(options.filename === undefined ? {} : { filename: options.filename }),
      onFileBegin: (_name, file) => void written.push(file.filepath),
    },
  });
  try {
    await read(ctx, nothingMore).catch((error: unknown) => {
      throw readingError(error, ctx, options.limit, "multipart/form-data");
    });
    await requireWholeFiles(ctx);
    return await use({ fields: textFields(ctx.request.body), files: uploadedFiles(ctx) });
  } finally {
    await Promise.all(written.map((path) => rm(path, { force: true })));
  }
}

const nothingMore = async (): Promise<void> => undefined;

function textFields(body: unknown): Record<string, string> {
  const fields: Record<string, string> = {};
  if (typeof body !== "object" || body === null) return fields;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === "string") fields[name] = value;
    else if (Array.isArray(value)) {
      throw badRequest({ message: `The form has ${value.length} fields ${shownValue(name)}; send one.` }, [
        { path: name, expected: "one value", received: String(value.length) },
      ]);
    }
  }
  return fields;
}

const receivedFiles = (ctx: RequestContext) => Object.values(ctx.request.files ?? {}).flat();

function uploadedFiles(ctx: RequestContext): UploadedFile[] {
  return receivedFiles(ctx).map((file) => ({
    path: file.filepath,
    filename: file.originalFilename ?? "",
    mediaType: (file.mimetype ?? "").toLowerCase(),
  }));
}

/** formidable counts bytes even if writing them fails, and may end the form before it reports the failure. */
async function requireWholeFiles(ctx: RequestContext): Promise<void> {
  for (const { filepath, size } of receivedFiles(ctx)) {
    const written = await stored(stat(filepath));
    if (written.size < size)
      throw storageError(Object.assign(new Error(`${written.size} of ${size} bytes`), { code: "ENOSPC" }));
  }
}

/** koa-body and its libraries use two names for the status; an error without one is not the client's fault. */
function statusOf(error: Error): unknown {
  return Reflect.get(error, "status") ?? Reflect.get(error, "httpCode");
}

function readingError(error: unknown, ctx: RequestContext, limit: number, expected: string): unknown {
  if (!(error instanceof Error)) return error;
  const status = statusOf(error);
  if (status === 413) return bodyTooLarge(limit);
  // formidable calls it an error of the server.
  if (ctx.req.destroyed && !ctx.req.complete)
    return unreadableBody("all of it", "the connection ended before the body did");
  if (typeof status !== "number" || status >= 500) return storageError(error);
  return unreadableBody(expected, error.message);
}
