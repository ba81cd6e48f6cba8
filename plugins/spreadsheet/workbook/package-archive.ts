/** A ZIP archive that streams while it is packed. */
import { Readable } from "node:stream";
import { ZipArchive } from "archiver";

type Pieces = Iterable<string> | AsyncIterable<Uint8Array>;

/** Adds entries sequentially; each is read only as fast as the archive is. */
export class PackageArchive {
  readonly #archive = new ZipArchive({ zlib: { level: 6 } });
  readonly #date: Date;

  /** `date`: modification date of all entries. */
  constructor(date: Date) {
    this.#date = date;
    // The reader of the archive receives the error.
    this.#archive.on("error", () => undefined);
  }

  /** The bytes; fails with the archive's error. */
  get content(): AsyncIterable<Uint8Array> {
    return this.#archive;
  }

  /**
   * Adds text, or bytes in pieces. Resolves when it is packed; if the archive is destroyed, when the source is closed.
   */
  async add(name: string, content: string | Pieces): Promise<void> {
    if (this.isEnded) return;
    const pieces = typeof content === "string" ? [content] : content;
    const source = Readable.from(bytes(pieces), { objectMode: false });
    source.on("error", (error) => this.end(error));
    const closed = new Promise((resolve) => source.once("close", resolve));
    const close = (): void => void source.destroy();
    this.#archive.once("close", close);
    this.#archive.append(source, { name, date: this.#date });
    await this.#taken();
    this.#archive.off("close", close);
    await closed;
  }

  /** Adds bytes without compression; most pictures are compressed already. */
  async addStored(name: string, content: Uint8Array): Promise<void> {
    if (this.isEnded) return;
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    this.#archive.append(buffer, { name, date: this.#date, store: true });
    await this.#taken();
  }

  /** Call after the last entry. */
  finish(): void {
    // Rejects with the error that the archive's reader receives anyway.
    if (!this.isEnded) this.#archive.finalize().catch(() => undefined);
  }

  get isEnded(): boolean {
    return this.#archive.destroyed;
  }

  /** Aborts the archive unless it is complete. */
  end(error?: Error): void {
    this.#archive.destroy(error);
  }

  #taken(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#archive.off("entry", done).off("close", done);
        resolve();
      };
      this.#archive.on("entry", done).on("close", done);
    });
  }
}

async function* bytes(pieces: Pieces): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece, "utf8") : piece;
}
