/** The ZIP container of an OBK, read from memory with limits. */
import type { Entry, ZipFile } from "yauzl";
import { RequestError } from "../../schema/errors.js";
import { brokenFile } from "../obx/read-warnings.js";

/** Limits against decompression bombs. */
export interface ZipLimits {
  entries: number;
  /** Uncompressed bytes of one entry. */
  entryBytes: number;
  /** Uncompressed bytes of all entries read. */
  totalBytes: number;
  /** Ratio of uncompressed to compressed size; small entries are exempt. */
  ratio: number;
}

/** How a container is opened. */
export interface ZipOptions {
  /** Default: those of an OBK. */
  limits?: ZipLimits;
  /** Backslashes in names part folders, as old programs for Windows write them; otherwise such names are refused. */
  backslashes?: boolean;
}

const usualLimits: ZipLimits = {
  entries: 20_000,
  entryBytes: 64 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  ratio: 200,
};
const freeOfRatio = 1024 * 1024;

/** Reads single entries of an open container by their names in its directory. */
export class ZipContainer {
  private read = 0;

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limits: ZipLimits,
  ) {}

  /**
   * Reads the directory of the container, not its content.
   * @throws RequestError 400 for invalid ZIP files, too many entries, duplicate entry names, and names that
   *   point outside the container.
   */
  static async open(
    bytes: Uint8Array,
    { limits = usualLimits, backslashes = false }: ZipOptions = {},
  ): Promise<ZipContainer> {
    try {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const { fromBufferPromise } = await import("yauzl");
      const zip = await fromBufferPromise(buffer, {
        lazyEntries: true,
        autoClose: false,
        strictFileNames: !backslashes,
      });
      if (zip.entryCount > limits.entries) throw brokenFile(`it has more than ${limits.entries} entries`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.has(entry.fileName))
          throw brokenFile("two entries have this name", named(entry.fileName));
        if (/\p{Cc}/u.test(entry.fileName)) throw brokenFile("an entry's name has control characters");
        entries.set(entry.fileName, entry);
      }
      return new ZipContainer(zip, entries, limits);
    } catch (error) {
      throw asBrokenFile(error, "the ZIP container is damaged or not a ZIP file");
    }
  }

  /** Total size in bytes according to the directory; reading an entry that unpacks to more fails. */
  get size(): number {
    return [...this.entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  }

  /** Entry names in the order of the directory; folder names end with "/". */
  get names(): string[] {
    return [...this.entries.keys()];
  }

  /** Uncompressed bytes of an entry according to the directory; 0 for one that is not there. */
  sizeOf(name: string): number {
    return this.entries.get(name)?.uncompressedSize ?? 0;
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /**
   * The content of an entry; undefined if there is no such entry.
   * @throws RequestError 400 for an entry that is damaged, encrypted, or larger than the limits allow.
   */
  async content(name: string): Promise<Uint8Array | undefined> {
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    const size = entry.uncompressedSize;
    this.read += size;
    if (size > this.limits.entryBytes || this.read > this.limits.totalBytes) {
      throw brokenFile(`the content is too large (${size} bytes)`, named(name));
    }
    if (size > freeOfRatio && size > entry.compressedSize * this.limits.ratio) {
      throw brokenFile(
        `the content is ${size} bytes from ${entry.compressedSize}, a ratio above the limit`,
        named(name),
      );
    }
    if (entry.isEncrypted())
      throw brokenFile("the entry needs a password; save the file without one", named(name));
    try {
      const stream = await this.zip.openReadStreamPromise(entry);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    } catch (error) {
      throw asBrokenFile(error, "the entry is damaged", name);
    }
  }

  close(): void {
    this.zip.close();
  }
}

function named(name: string): { entry: string } {
  return { entry: name.slice(0, 200) };
}

function asBrokenFile(error: unknown, what: string, name?: string): RequestError {
  if (error instanceof RequestError) return error;
  const detail = error instanceof Error ? `: ${error.message.slice(0, 200)}` : "";
  return brokenFile(`${what}${detail}`, name === undefined ? {} : named(name), error);
}
