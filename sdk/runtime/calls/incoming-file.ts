import { PassThrough } from "node:stream";
import { DeflatedBeginning } from "../archives/deflated-beginning.js";
import type { MemoryBudget } from "../archives/memory-budget.js";
import type { Insertion } from "../messages/host-parameters.js";
import type { Artifact, GeneratedFiles } from "./generated-files.js";
import { pluginMistake } from "./request-errors.js";

/** Bytes of texts that one file may keep for insertions. */
const mostKept = 16 * 1024 * 1024;

/** Pieces that are stored and deflated while later ones arrive, so that neither side waits for the other. */
const piecesAtOnce = 4;

/** A file as a plugin opens it. */
export interface NewFile {
  name: string;
  mediaType: string;
  /** Whether the request will archive it. */
  archived: boolean;
}

/** The next bytes of a file. */
export interface FilePiece {
  bytes: Uint8Array;
  /** Texts to keep, which are numbered in order of arrival. */
  texts: readonly Uint8Array[];
  /** Kept texts between the bytes. */
  insertions: readonly Insertion[];
}

/** A complete file; `beginning` if it was opened for an archive. */
export interface WrittenFile {
  artifact: Artifact;
  beginning?: DeflatedBeginning | undefined;
  /** Whether it is a PDF that the host has printed. */
  isPrinted?: boolean;
}

/** A file that a plugin writes piece by piece. An unfinished file is removed. */
export class IncomingFile {
  /** Maximum bytes of kept texts. */
  readonly room: number;
  /** Its chunks are arrays of bytes. */
  private readonly content = new PassThrough({ objectMode: true, highWaterMark: piecesAtOnce });
  private readonly stored: Promise<Artifact>;
  private readonly beginning: DeflatedBeginning | undefined;
  private readonly texts: Uint8Array[] = [];
  private free: number;
  private writing = false;
  /** Of the last pieces, oldest first. */
  private readonly deflating: Promise<unknown>[] = [];

  /** Starts writing. When the signal aborts, writing fails with the signal's reason. */
  constructor(
    artifacts: GeneratedFiles,
    { archived, ...file }: NewFile,
    private readonly memory: MemoryBudget,
    private readonly signal: AbortSignal,
  ) {
    this.room = memory.takeShare(mostKept);
    this.free = this.room;
    this.beginning = archived ? new DeflatedBeginning(memory) : undefined;
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
    await Promise.all(this.deflating);
    return { artifact: await this.stored, beginning: this.beginning };
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

  /** Passes a piece on to the store, and to the deflated beginning. */
  private async pass({ bytes, insertions }: FilePiece): Promise<void> {
    if (this.content.destroyed) return;
    const parts: Uint8Array[] = [];
    const deflated: (Promise<void> | undefined)[] = [];
    for (const { part, text } of this.parts(bytes, insertions)) {
      parts.push(part);
      deflated.push(text === undefined ? this.beginning?.add(part) : this.beginning?.addRepeated(text, part));
    }
    const hasRoom = this.content.write(parts);
    const all = Promise.all(deflated);
    // A later piece, or the end of the file, reports it.
    all.catch(() => undefined);
    const first = this.deflating.push(all) > piecesAtOnce ? this.deflating.shift() : undefined;
    await Promise.all([hasRoom ? undefined : this.drained(), first]);
  }

  /** The bytes of a piece and the texts between them, in order; `text` is the number of a text. */
  private *parts(
    bytes: Uint8Array,
    insertions: readonly Insertion[],
  ): Generator<{ part: Uint8Array; text?: number }> {
    let begin = 0;
    for (const { at, text } of insertions) {
      const inserted = this.texts[text];
      if (inserted === undefined || at < begin || at > bytes.byteLength)
        throw pluginMistake("The plugin inserted a text that the file does not keep, or in a wrong place.");
      if (at > begin) yield { part: bytes.subarray(begin, at) };
      yield { part: inserted, text };
      begin = at;
    }
    if (begin < bytes.byteLength) yield { part: bytes.subarray(begin) };
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
