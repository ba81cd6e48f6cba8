import { RepeatedText } from "../../formats/xml/repeated-text.js";
import type { FileChunk, FileContent, Files } from "../../plugin/host.js";
import type { StoredFile } from "../../plugin/stored-file.js";
import type { Insertion } from "../messages/host-parameters.js";
import { fromHost, type HostLink, requestScope } from "./host-link.js";

/**
 * Bytes per piece; small enough to keep several in memory, large enough to make the cost of a message
 * negligible.
 */
const pieceBytes = 256 * 1024;

/** Bytes of a piece after which it is sent, including the texts that the host inserts. */
const largestPiece = 1024 * 1024;

/** Bytes of repeated texts that the host keeps. */
const shortestKept = 1024;
const longestKept = 256 * 1024;

/** Bytes of a character in UTF-8. */
const longestCharacter = 4;

const encoder = new TextEncoder();

/** Content of unknown length. */
type ComingContent = Exclude<FileContent, FileChunk>;

interface NewFile {
  name: string;
  mediaType: string;
  archived?: boolean;
}

/** Larger content is sent in pieces, so the message size does not limit the file size. */
const largestWhole = 256 * 1024;

/** The plugin's view of generated files. */
export function remoteFiles(link: HostLink): Files {
  return {
    create: async ({ name, mediaType, content, archived = false }) => {
      const file = { name, mediaType };
      const whole = content instanceof RepeatedText ? content.text : content;
      const isWhole = typeof whole === "string" || whole instanceof Uint8Array;
      if (!isWhole || whole.length > largestWhole)
        return await streamed(link, archived ? { ...file, archived } : file, isWhole ? [whole] : whole);
      return fromHost<StoredFile>(await link.call("files.create", file, [whole]));
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
  const writing = new Writing(link, file, Number(values["room"]));
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
    private readonly room: number,
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
    for await (const { bytes, texts, insertions } of inPieces(content, this.room)) {
      await written;
      if (this.over) return;
      const parameters = { file: this.file, ...(insertions.length > 0 && { insertions }) };
      written = this.link.call("files.write", parameters, [bytes, ...texts]);
      written.catch(fail);
    }
    await written;
  }
}

/** Part of a file: bytes, between which the host inserts texts that it keeps. */
class Piece {
  readonly insertions: Insertion[] = [];
  /** Texts that the host does not know yet. */
  readonly texts: Uint8Array[] = [];
  private readonly space = Buffer.allocUnsafe(pieceBytes);
  private filled = 0;
  /** With the inserted texts. */
  private written = 0;

  get bytes(): Uint8Array {
    return this.space.subarray(0, this.filled);
  }

  get isFull(): boolean {
    return this.filled > pieceBytes - longestCharacter || this.written >= largestPiece;
  }

  get isEmpty(): boolean {
    return this.written === 0;
  }

  /** Copies as many bytes as there is space for; returns their number. */
  add(bytes: Uint8Array): number {
    const part = bytes.subarray(0, pieceBytes - this.filled);
    this.space.set(part, this.filled);
    this.filled += part.byteLength;
    this.written += part.byteLength;
    return part.byteLength;
  }

  /** Encodes as many characters as there is space for; returns their number (UTF-16 units). */
  addText(text: string): number {
    const { read, written } = encoder.encodeInto(text, this.space.subarray(this.filled));
    this.filled += written;
    this.written += written;
    return read;
  }

  insert({ number, bytes, isNew }: KeptText): void {
    this.insertions.push({ at: this.filled, text: number });
    if (isNew) this.texts.push(bytes);
    this.written += bytes.byteLength;
  }
}

/** A repeated text that the host keeps. */
interface KeptText {
  number: number;
  bytes: Uint8Array;
  /** It has not been sent before. */
  isNew: boolean;
}

/** The repeated texts of one file that the host keeps. `room`: their bytes in all. */
class KeptTexts {
  private readonly kept = new Map<RepeatedText, KeptText>();

  constructor(private room: number) {}

  /** Undefined for a text that has to be sent each time: it is too short or too long, or there is no room. */
  find(text: RepeatedText): KeptText | undefined {
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    const bytes = Buffer.from(text.text);
    const { byteLength } = bytes;
    if (byteLength < shortestKept || byteLength > longestKept || byteLength > this.room) return undefined;
    this.room -= byteLength;
    const kept = { number: this.kept.size, bytes, isNew: false };
    this.kept.set(text, kept);
    return { ...kept, isNew: true };
  }
}

/** Splits content into pieces of similar size, independent of the author's chunks. Each piece is a copy. */
async function* inPieces(content: ComingContent, room: number): AsyncGenerator<Piece> {
  const texts = new KeptTexts(room);
  let piece = new Piece();
  for await (const chunk of wholeCharacters(content)) {
    const kept = chunk instanceof RepeatedText ? texts.find(chunk) : undefined;
    if (kept !== undefined) piece.insert(kept);
    const rest = chunk instanceof RepeatedText ? (kept === undefined ? chunk.text : "") : chunk;
    for (let at = 0; at < rest.length || piece.isFull; ) {
      at += typeof rest === "string" ? piece.addText(rest.slice(at)) : piece.add(rest.subarray(at));
      if (!piece.isFull) continue;
      yield piece;
      piece = new Piece();
    }
  }
  if (!piece.isEmpty) yield piece;
}

/** The same chunks; a surrogate pair that is split across two texts comes with the second one. */
async function* wholeCharacters(content: ComingContent): AsyncGenerator<FileChunk> {
  let half = "";
  for await (const chunk of content) {
    if (typeof chunk === "string") {
      const text = half + chunk;
      half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
      yield half === "" ? text : text.slice(0, -1);
      continue;
    }
    if (!(chunk instanceof Uint8Array || chunk instanceof RepeatedText))
      throw new TypeError("a piece of a file is neither bytes nor text");
    if (half !== "") yield half;
    half = "";
    yield chunk;
  }
  if (half !== "") yield half;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
