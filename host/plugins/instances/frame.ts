/**
 * Wire format of messages between host and instance:
 *
 *     uint32 rest length | uint32 head length | head (JSON, UTF-8) | parts (bytes, lengths in the head)
 *
 * Own frames instead of Node's channel, because an oversized frame is refused before its bytes are buffered, and bodies
 * are not quoted into another JSON text.
 */
import type { Writable } from "node:stream";
import type { Part } from "@slipway/sdk/runtime";
import { isJsonObject } from "../../system/json.js";

export interface FrameHead {
  kind: string;
  /** Id of the call that the frame belongs to. */
  id: number;
  method: string;
  values: Record<string, unknown>;
}

export interface Frame {
  head: FrameHead;
  parts: Buffer[];
}

/** The peer broke the wire format; the stream is no longer readable. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

const prefixBytes = 8;
/** Limit of the head in bytes; large data belongs in parts. */
const maximumHead = 4 * 1024 * 1024;

/** Writes one frame. Throws a `FrameError` and writes nothing when it exceeds `maximum` bytes. */
export function writeFrame(stream: Writable, head: FrameHead, parts: readonly Part[], maximum: number): void {
  const bytes = parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part));
  const text = Buffer.from(JSON.stringify({ ...head, lengths: bytes.map((each) => each.byteLength) }));
  const rest = bytes.reduce((sum, each) => sum + each.byteLength, text.length);
  if (rest > maximum || text.length > maximumHead) {
    throw new FrameError(`a message of ${rest} bytes is larger than the ${maximum} bytes allowed`);
  }
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(rest, 0);
  prefix.writeUInt32BE(text.length, 4);
  stream.cork();
  stream.write(Buffer.concat([prefix, text]));
  for (const each of bytes) if (each.byteLength > 0) stream.write(each);
  stream.uncork();
}

/** Splits a stream of bytes into frames. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;
  private wanted: number | undefined;

  constructor(private readonly maximum: number) {}

  /** Yields the frames that this chunk completes. Throws a `FrameError`. */
  *push(chunk: Buffer): Generator<Frame> {
    this.chunks.push(chunk);
    this.held += chunk.length;
    while (this.held >= prefixBytes) {
      this.wanted ??= this.frameLength();
      if (this.held < this.wanted) return;
      const all = this.consolidated();
      const frame = all.subarray(0, this.wanted);
      this.replace(all.subarray(this.wanted));
      this.wanted = undefined;
      yield parseFrame(frame);
    }
  }

  private frameLength(): number {
    const all = this.consolidated();
    const rest = all.readUInt32BE(0);
    const head = all.readUInt32BE(4);
    if (rest > this.maximum || head > rest || head > maximumHead) {
      throw new FrameError(`a frame of ${rest} bytes with a head of ${head} is not allowed`);
    }
    return prefixBytes + rest;
  }

  private consolidated(): Buffer {
    const [first] = this.chunks;
    if (this.chunks.length === 1 && first !== undefined) return first;
    const all = Buffer.concat(this.chunks);
    this.replace(all);
    return all;
  }

  private replace(rest: Buffer): void {
    this.chunks = rest.length > 0 ? [rest] : [];
    this.held = rest.length;
  }
}

function parseFrame(frame: Buffer): Frame {
  const headEnd = prefixBytes + frame.readUInt32BE(4);
  const { lengths, ...head } = parseHead(frame.toString("utf8", prefixBytes, headEnd));
  const parts: Buffer[] = [];
  let at = headEnd;
  for (const length of lengths) {
    parts.push(frame.subarray(at, at + length));
    at += length;
  }
  if (at !== frame.length) throw new FrameError("the parts of a frame do not fill it");
  return { head, parts };
}

function parseHead(text: string): FrameHead & { lengths: number[] } {
  const head = parseJson(text);
  if (!isJsonObject(head)) throw new FrameError("the head of a frame is not an object");
  const { kind, id, method, values, lengths } = head;
  if (typeof kind !== "string" || typeof method !== "string" || !isCount(id) || !isJsonObject(values)) {
    throw new FrameError("the head of a frame lacks kind, id, method or values");
  }
  if (!Array.isArray(lengths) || !lengths.every(isCount)) {
    throw new FrameError("the head of a frame lacks the lengths of its parts");
  }
  return { kind, id, method, values, lengths };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FrameError("the head of a frame is not valid JSON", { cause: error });
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
