import { PassThrough } from "node:stream";
import type { Insertion } from "../messages/host-parameters.js";
import type { Artifact, GeneratedFiles } from "./generated-files.js";
import { pluginMistake } from "./request-errors.js";

/** Bytes of texts that one file may keep for insertions. */
const mostKept = 16 * 1024 * 1024;

/** Pieces that are stored while later ones come: what takes long on one side then keeps the other busy. */
const piecesAtOnce = 4;

/** A file as a plugin opens it. */
export interface NewFile {
  name: string;
  mediaType: string;
}

/** The next bytes of a file. */
export interface FilePiece {
  bytes: Uint8Array;
  /** Texts to keep, which are numbered in order of arrival. */
  texts: readonly Uint8Array[];
  /** Kept texts between the bytes. */
  insertions: readonly Insertion[];
}

/** A complete file. */
export interface WrittenFile {
  artifact: Artifact;
  /** Whether it is a PDF that the host has printed. */
  isPrinted?: boolean;
}

/** A file that a plugin writes piece by piece. An unfinished file is removed. */
export class IncomingFile {
  /** Bytes of texts that it keeps at most. */
  readonly room: number;
  /** Its chunks are arrays of bytes. */
  private readonly content = new PassThrough({ objectMode: true, highWaterMark: piecesAtOnce });
  private readonly stored: Promise<Artifact>;
  private readonly texts: Uint8Array[] = [];
  private free: number;
  private writing = false;

  /** Starts writing. When the signal aborts, writing fails with the signal's reason. */
  constructor(
    artifacts: GeneratedFiles,
    file: NewFile,
    private readonly memory: MemoryBudget,
    private readonly signal: AbortSignal,
  ) {
    this.room = memory.takeShare(mostKept);
    this.free = this.room;
    // The store reports this error.
    this.content.on("error", () => undefined);
    this.stored = artifacts.create({ ...file, content: this.content });
    // Also if the store rejects the file before reading: a pending `write` must not wait forever.
    this.stored.catch(() => undefined).finally(() => this.close());
    signal.addEventListener("abort", this.abort, { once: true });
    if (signal.aborted) this.abort();
  }

  /** Resolves when there is room for the next piece. Rejects with the error of the store. */
  async write(piece: FilePiece): Promise<void> {
    if (this.writing)
      throw pluginMistake("The plugin wrote a piece of a file before the previous one was accepted.");
    this.writing = true;
    try {
      this.keep(piece.texts);
      await this.pass(piece);
      if (this.content.destroyed) await this.stored;
    } finally {
      this.writing = false;
    }
  }

  /** Completes the file after its last piece. Rejects with the error of the store. */
  async finish(): Promise<WrittenFile> {
    this.content.end();
    return { artifact: await this.stored };
  }

  /** Resolves when the partial file is removed. */
  async discard(): Promise<void> {
    this.content.destroy(pluginMistake("The plugin discarded the file."));
    await this.stored.catch(() => undefined);
  }

  private keep(texts: readonly Uint8Array[]): void {
    for (const text of texts) {
      this.free -= text.byteLength;
      if (this.free < 0) throw pluginMistake("The plugin sent more repeated texts than a file may keep.");
      // A copy: the message that it arrived in is much larger.
      this.texts.push(Buffer.from(text));
    }
  }

  /** Passes a piece on to the store. */
  private async pass({ bytes, insertions }: FilePiece): Promise<void> {
    if (this.content.destroyed) return;
    if (!this.content.write([...this.parts(bytes, insertions)])) await this.drained();
  }

  /** The bytes of a piece and the texts between them, in order. */
  private *parts(bytes: Uint8Array, insertions: readonly Insertion[]): Generator<Uint8Array> {
    let begin = 0;
    for (const { at, text } of insertions) {
      const inserted = this.texts[text];
      if (inserted === undefined || at < begin || at > bytes.byteLength)
        throw pluginMistake("The plugin inserted a text that the file does not keep, or in a wrong place.");
      if (at > begin) yield bytes.subarray(begin, at);
      yield inserted;
      begin = at;
    }
    if (begin < bytes.byteLength) yield bytes.subarray(begin);
  }

  private readonly abort = (): void => {
    this.content.destroy(this.signal.reason);
  };

  private close(): void {
    this.signal.removeEventListener("abort", this.abort);
    this.content.destroy();
    this.texts.length = 0;
    this.memory.give(this.room);
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.content.off("drain", done).off("close", done);
        resolve();
      };
      this.content.on("drain", done).on("close", done);
    });
  }
}

/** The bytes of memory that the repeated texts of one request may take together. */
export class MemoryBudget {
  constructor(private free: number) {}

  /** Takes half of what is free, at most `bytes`; returns the number of bytes taken. */
  takeShare(bytes: number): number {
    const share = Math.min(bytes, Math.floor(this.free / 2));
    this.free -= share;
    return share;
  }

  /** Returns bytes that were taken. */
  give(bytes: number): void {
    this.free += bytes;
  }
}
