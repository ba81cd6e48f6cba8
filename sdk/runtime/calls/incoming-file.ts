import { PassThrough } from "node:stream";
import { pluginMistake } from "./call-errors.js";
import type { Artifact, GeneratedFiles } from "./generated-files.js";

/** A file that a plugin writes piece by piece. Nothing is left of one that is not finished. */
export class IncomingFile {
  private readonly content = new PassThrough();
  private readonly stored: Promise<Artifact>;
  private writing = false;

  /** Begins to write. When the signal aborts, the file is given up with the signal's reason. */
  constructor(
    artifacts: GeneratedFiles,
    file: { name: string; mediaType: string },
    private readonly signal: AbortSignal,
  ) {
    // The store tells of it; here nobody needs to hear.
    this.content.on("error", () => undefined);
    this.stored = artifacts.create({ ...file, content: this.content });
    // Also when the store refused it before it read anything: whoever waits for room has to hear of it.
    this.stored.catch(() => undefined).finally(() => this.close());
    signal.addEventListener("abort", this.abort, { once: true });
    if (signal.aborted) this.abort();
  }

  /** Resolves when there is room for the next piece. Rejects as the store does. */
  async write(piece: Uint8Array): Promise<void> {
    if (this.writing)
      throw pluginMistake("The plugin wrote a piece of a file before the last one was taken.");
    this.writing = true;
    try {
      if (!this.content.destroyed && !this.content.write(piece)) await this.drained();
      if (this.content.destroyed) await this.stored;
    } finally {
      this.writing = false;
    }
  }

  /** The file, after its last piece. Rejects as the store does. */
  async finish(): Promise<Artifact> {
    this.content.end();
    return await this.stored;
  }

  /** Resolves when nothing is left of it. */
  async discard(): Promise<void> {
    this.content.destroy(pluginMistake("The plugin gave up a file."));
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
