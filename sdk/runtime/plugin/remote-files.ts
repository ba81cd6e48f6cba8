import type { FileChunk, FileContent, Files, StoredFile } from "../../plugin/host.js";
import { fromHost, type HostLink, requestScope } from "./host-link.js";

/**
 * Bytes per piece; small enough to keep several in memory, large enough to make the cost of a message
 * negligible.
 */
const pieceBytes = 256 * 1024;

/** Characters of a text that are encoded at a time. */
const sliceLength = 64 * 1024;

/** Content of unknown length. */
type ComingContent = Exclude<FileContent, FileChunk>;

interface NewFile {
  name: string;
  mediaType: string;
}

/** Larger content is sent in pieces, so the message size does not limit the file size. */
const largestWhole = 256 * 1024;

/** The plugin's view of generated files. */
export function remoteFiles(link: HostLink): Files {
  return {
    create: async ({ name, mediaType, content }) => {
      const file = { name, mediaType };
      if (typeof content !== "string" && !(content instanceof Uint8Array))
        return await streamed(link, file, content);
      if (content.length > largestWhole) return await streamed(link, file, [content]);
      return fromHost<StoredFile>(await link.call("files.create", file, [content]));
    },
    archive: async ({ name, files }) => {
      const entries = files.map((entry) => ({
        id: entry.file.id,
        ...(entry.name === undefined ? {} : { name: entry.name }),
      }));
      return fromHost<StoredFile>(await link.call("files.archive", { name, files: entries }));
    },
  };
}

async function streamed(link: HostLink, newFile: NewFile, content: ComingContent): Promise<StoredFile> {
  const { values } = await link.call("files.open", newFile);
  const file = Number(values["file"]);
  const writing = new Writing(link, file);
  try {
    await writing.all(content);
    return fromHost<StoredFile>(await link.call("files.finish", { file }));
  } catch (error) {
    // If the request has ended, the host has removed the file already.
    await link.call("files.discard", { file }).catch(() => undefined);
    throw error;
  }
}

/** Sends a file piece by piece; the next piece is produced while one is being sent. */
class Writing {
  private over = false;

  constructor(
    private readonly link: HostLink,
    private readonly file: number,
  ) {}

  /** Rejects as soon as the file has failed, even while its author has not produced the next chunk. */
  async all(content: ComingContent): Promise<void> {
    const signal = requestScope.getStore()?.signal;
    let fail: (reason: unknown) => void = () => undefined;
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const abort = (): void => fail(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    try {
      await Promise.race([this.each(content, fail), failed]);
    } finally {
      this.over = true;
      signal?.removeEventListener("abort", abort);
    }
  }

  private async each(content: ComingContent, fail: (reason: unknown) => void): Promise<void> {
    let written: Promise<unknown> = Promise.resolve();
    for await (const piece of inPieces(content)) {
      await written;
      if (this.over) return;
      written = this.link.call("files.write", { file: this.file }, [piece]);
      written.catch(fail);
    }
    await written;
  }
}

/** Splits content into pieces of one size, independent of the author's chunks. Each piece is a copy. */
async function* inPieces(content: ComingContent): AsyncGenerator<Uint8Array> {
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

/** A surrogate pair may be split across two texts. */
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
