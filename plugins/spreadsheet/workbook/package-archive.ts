/** A ZIP that is read while it is packed. */
import { Readable } from "node:stream";
import { ZipArchive } from "archiver";

type Pieces = Iterable<string> | AsyncIterable<Uint8Array>;

/** Entries go in one after the other; each is read only as fast as the archive is. */
export class PackageArchive {
  readonly #archive = new ZipArchive({ zlib: { level: 6 } });
  readonly #date: Date;

  /** `date` is that of all entries. */
  constructor(date: Date) {
    this.#date = date;
    // Whoever reads the archive hears of it.
    this.#archive.on("error", () => undefined);
  }

  /** The bytes; ends with the error that ended the archive. */
  get content(): AsyncIterable<Uint8Array> {
    return this.#archive;
  }

  /** Text, or bytes in pieces. Resolves when it is packed; when the archive is gone, as soon as the pieces have ended too. */
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

  /** Bytes that are packed already, such as most pictures. */
  async addStored(name: string, content: Uint8Array): Promise<void> {
    if (this.isEnded) return;
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    this.#archive.append(buffer, { name, date: this.#date, store: true });
    await this.#taken();
  }

  /** Nothing more comes. */
  finish(): void {
    // Rejects with what the archive's reader hears anyway.
    if (!this.isEnded) this.#archive.finalize().catch(() => undefined);
  }

  get isEnded(): boolean {
    return this.#archive.destroyed;
  }

  /** Gives up, unless all is done. */
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
