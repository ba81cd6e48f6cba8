import type { FileChunk, FileContent } from "../../plugin/host.js";

/** Bytes of one piece; small enough that a few of them are nothing, large enough that a message for each is nothing. */
const pieceBytes = 256 * 1024;
/** Characters of a text that become bytes at a time. */
const sliceLength = 64 * 1024;

/** Content whose end nobody knows before it comes. */
export type ComingContent = Exclude<FileContent, FileChunk>;

/** The bytes of a file in pieces of one size, whatever the chunks that its author gives. Each piece is a copy. */
export async function* inPieces(content: ComingContent): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  for await (const bytes of bytesOf(content)) {
    for (let at = 0; at < bytes.byteLength; ) {
      const part = bytes.subarray(at, at + pieceBytes - filled);
      piece.set(part, filled);
      filled += part.byteLength;
      at += part.byteLength;
      if (filled < pieceBytes) continue;
      yield piece;
      piece = Buffer.allocUnsafe(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** The two halves of a character may come in two texts. */
async function* bytesOf(content: ComingContent): AsyncGenerator<Uint8Array> {
  let half = "";
  for await (const chunk of content) {
    if (typeof chunk === "string") {
      for (let at = 0; at < chunk.length; at += sliceLength) {
        const text = half + chunk.slice(at, at + sliceLength);
        half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
        yield Buffer.from(half === "" ? text : text.slice(0, -1));
      }
      continue;
    }
    if (!(chunk instanceof Uint8Array)) throw new TypeError("a piece of a file is neither bytes nor text");
    if (half !== "") yield Buffer.from(half);
    half = "";
    yield chunk;
  }
  if (half !== "") yield Buffer.from(half);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
