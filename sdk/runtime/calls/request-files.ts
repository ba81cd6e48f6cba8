import { PassThrough } from "node:stream";
import type { Artifact, GeneratedFiles } from "./generated-files.js";
import { pluginMistake } from "./request-errors.js";

/** Files that one call may write at the same time. */
const maximumIncoming = 100;

interface MadeFile {
  artifact: Artifact;
  remove(): void;
}

/** The files of one plugin call, finished and still being written. */
export class RequestFiles {
  private readonly files = new Map<string, MadeFile>();
  private readonly incoming = new Map<number, IncomingFile>();
  private lastIncoming = 0;
  private discarded = false;

  /** `caller` is the call that requested this one; it owns the files too. */
  constructor(private readonly caller: RequestFiles | undefined) {}

  /** Registers a created file and the function that removes it. */
  remember(artifact: Artifact, remove: () => void): void {
    this.files.set(artifact.id, { artifact, remove });
    this.caller?.remember(artifact, remove);
    if (this.discarded) remove();
  }

  /** Removes all files of a failed call, including those still being written. */
  discard(): void {
    this.discarded = true;
    for (const { remove } of this.files.values()) remove();
    this.files.clear();
  }

  /** The file with an id, if this call or one it led to created it. */
  made(id: string): Artifact | undefined {
    return this.files.get(id)?.artifact;
  }

  /** Registers a file that arrives in pieces; returns its number. */
  receive(file: IncomingFile): number {
    if (this.incoming.size >= maximumIncoming)
      throw pluginMistake(`The plugin wrote more than ${maximumIncoming} files at the same time.`);
    this.lastIncoming += 1;
    this.incoming.set(this.lastIncoming, file);
    return this.lastIncoming;
  }

  /** The file with a number. Throws if this call is not writing it. */
  receiving(number: number): IncomingFile {
    const file = this.incoming.get(number);
    if (file === undefined) throw pluginMistake("The plugin wrote to a file that is not open.");
    return file;
  }

  /** Unregisters a number; undefined if it is unknown. */
  release(number: number): IncomingFile | undefined {
    const file = this.incoming.get(number);
    this.incoming.delete(number);
    return file;
  }
}

/** A file that a plugin writes piece by piece. An unfinished file is removed. */
export class IncomingFile {
  private readonly content = new PassThrough();
  private readonly stored: Promise<Artifact>;
  private writing = false;

  /** Starts writing. When the signal aborts, writing fails with the signal's reason. */
  constructor(
    artifacts: GeneratedFiles,
    file: { name: string; mediaType: string },
    private readonly signal: AbortSignal,
  ) {
    // The store reports this error.
    this.content.on("error", () => undefined);
    this.stored = artifacts.create({ ...file, content: this.content });
    // Also if the store rejects the file before reading: a pending `write` must not wait forever.
    this.stored.catch(() => undefined).finally(() => this.close());
    signal.addEventListener("abort", this.abort, { once: true });
    if (signal.aborted) this.abort();
  }

  /** Resolves when there is room for the next piece. Rejects with the error of the store. */
  async write(piece: Uint8Array): Promise<void> {
    if (this.writing)
      throw pluginMistake("The plugin wrote a piece of a file before the previous one was accepted.");
    this.writing = true;
    try {
      if (!this.content.destroyed && !this.content.write(piece)) await this.drained();
      if (this.content.destroyed) await this.stored;
    } finally {
      this.writing = false;
    }
  }

  /** Completes the file after its last piece. Rejects with the error of the store. */
  async finish(): Promise<Artifact> {
    this.content.end();
    return await this.stored;
  }

  /** Resolves when the partial file is removed. */
  async discard(): Promise<void> {
    this.content.destroy(pluginMistake("The plugin discarded the file."));
    await this.stored.catch(() => undefined);
  }

  private readonly abort = (): void => {
    this.content.destroy(this.signal.reason);
  };

  private close(): void {
    this.signal.removeEventListener("abort", this.abort);
    this.content.destroy();
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
