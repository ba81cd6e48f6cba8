import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { RequestError } from "@slipway/sdk";
import { bodyTooLarge, unreadableBody } from "@slipway/sdk/runtime/host";
import { unsupportedMediaType } from "../system/request-errors.js";

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
  const body = unpacked(request);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const fail = (error: unknown): void => {
      body.removeAllListeners("data");
      if (body !== request) {
        request.unpipe();
        body.destroy();
      }
      reject(error);
    };
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
    body.once("error", (error) => fail(unreadable(error.message)));
    const torn = unreadable("the connection ended before the body did");
    request.once("close", () => {
      if (!request.complete) fail(torn);
    });
    signal.addEventListener("abort", () => {
      fail(signal.reason instanceof RequestError ? signal.reason : torn);
    });
  });
}

function unpacked(request: IncomingMessage): Readable {
  const encoding = (request.headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding === "identity") return request;
  const create = encodings.get(encoding);
  if (create === undefined)
    throw unsupportedMediaType(`with the encoding ${encoding}`, [...encodings.keys()]);
  return request.pipe(create());
}

/** 400 for an incomplete or malformed body. */
export function unreadable(reason: string): Error {
  return unreadableBody("all of it", reason);
}
