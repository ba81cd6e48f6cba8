/** Reads and decompresses bodies of requests. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { RequestError } from "@slipway/sdk";
import { bodyTooLarge, parsedJsonBody, unreadableBody } from "@slipway/sdk/runtime/host";
import { unsupportedMediaType } from "../system/request-errors.js";
import type { RequestContext } from "./request-state.js";

/** A map, because an object would contain "constructor". */
const encodings = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * Reads and decompresses a body. 413 above the limit. Calls `take` for all buffered bytes; it may throw. Rejects at
 * once when the request is aborted.
 */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  take: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const encoding = (request.headers["content-encoding"] ?? "identity").toLowerCase();
  const body = unpacked(request, encoding);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const fail = (error: unknown): void => {
      body.removeAllListeners("data");
      if (body !== request) {
        request.unpipe();
        // What the decompressor still finds wrong is nobody's error any more; destroyed, it is silent.
        body.destroy();
      }
      reject(error);
    };
    const abandon = (): void => fail(signal.reason instanceof RequestError ? signal.reason : torn());
    if (signal.aborted) return abandon();
    if (request.destroyed) return fail(torn());
    if (body === request && Number(request.headers["content-length"]) > limit)
      return fail(bodyTooLarge(limit));
    body.on("data", (chunk: Uint8Array) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      try {
        if (length > limit) throw bodyTooLarge(limit);
        take(chunk.byteLength);
      } catch (error) {
        fail(error);
      }
    });
    body.once("end", () => resolve(Buffer.concat(chunks, Math.min(length, limit))));
    body.on("error", (error) => fail(body === request ? torn() : unreadableBody(encoding, error.message)));
    request.once("close", () => {
      if (!request.readableEnded) fail(torn());
    });
    signal.addEventListener("abort", abandon);
  });
}

function unpacked(request: IncomingMessage, encoding: string): Readable {
  if (encoding === "identity" || encoding === "") return request;
  const create = encodings.get(encoding);
  if (create === undefined)
    throw unsupportedMediaType(`with the encoding ${encoding}`, ["identity", ...encodings.keys()]);
  return request.pipe(create());
}

const torn = (): Error => unreadable("the connection ended before the body did");

/** 400 for an incomplete or malformed body. */
export function unreadable(reason: string): Error {
  return unreadableBody("all of it", reason);
}

/** Reads a JSON object or array of at most `limit` bytes, with or without a type. The value is also the state's `body`. */
export async function readJson(ctx: RequestContext, limit: number): Promise<unknown> {
  const bytes = await readBytes(ctx.req, limit, () => undefined, ctx.state.abort.signal);
  ctx.state.body = parsedJsonBody(new TextDecoder().decode(bytes));
  return ctx.state.body;
}
