/**
 * Deflates a file for an archive while the file is written, and repeated texts only once. An order of
 * 10,000 articles is 240 MiB of XML, 160 of them a few pictures: its first export takes 12 to 13 s and later ones 7 to 8,
 * where archiver deflates all of it afterwards 17 to 19 and 11 to 13 (`npm run bench -- oex`, two cores, in turns).
 */
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, type ZlibOptions } from "node:zlib";
import type { MemoryBudget } from "./memory-budget.js";

/** Maximum bytes of a block. Larger blocks would hardly deflate better. */
const blockBytes = 256 * 1024;

type Deflate = (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer>;
const deflate: Deflate = promisify(deflateRaw);

/**
 * Deflates in a thread of Node.js. The result ends at a full byte (RFC 1951, section 3.2.4); any sequence of results with a
 * last block at its end is raw deflate.
 */
async function deflateBlock(bytes: Uint8Array): Promise<Buffer> {
  // Setting up tables for 32 KiB would cost more than deflating a smaller block.
  const windowBits = Math.min(15, Math.max(9, Math.ceil(Math.log2(bytes.byteLength + 1))));
  const deflated = await deflate(bytes, {
    finishFlush: constants.Z_FULL_FLUSH,
    windowBits,
    memLevel: windowBits - 6,
  });
  // A copy, because the result may be a small part of a large buffer.
  return Buffer.from(deflated);
}

/** The beginning of a file, as much as fits into memory. The rest of the file is deflated when it is archived. */
export class DeflatedBeginning {
  private readonly deflated: Promise<Buffer>[] = [];
  private readonly repeated = new Map<number, Promise<Buffer>>();
  private size = 0;
  private checksum = 0;
  private isFull = false;

  constructor(private readonly memory: MemoryBudget) {}

  /** Bytes of the file in the blocks. */
  get bytes(): number {
    return this.size;
  }

  /** CRC-32 of the whole file. */
  get crc(): number {
    return this.checksum;
  }

  /** The deflated blocks in order; none of them is the last one of raw deflate. */
  get blocks(): readonly Promise<Buffer>[] {
    return this.deflated;
  }

  /** Adds the next bytes of the file, which must not change meanwhile; resolves when they are deflated. */
  async add(bytes: Uint8Array): Promise<void> {
    this.checksum = crc32(bytes, this.checksum);
    const added: Promise<void>[] = [];
    for (let at = 0; at < bytes.byteLength; at += blockBytes) {
      const block = bytes.subarray(at, at + blockBytes);
      if (!this.takes(block)) break;
      added.push(this.keep(block, deflateBlock(block)));
    }
    await Promise.all(added);
  }

  /** Adds a text of at most `blockBytes` bytes, which is the same each time for its number. */
  async addRepeated(number: number, bytes: Uint8Array): Promise<void> {
    this.checksum = crc32(bytes, this.checksum);
    const known = this.repeated.get(number);
    if (this.isFull || (known === undefined && !this.takes(bytes))) return;
    if (known === undefined) {
      const deflated = deflateBlock(bytes);
      this.repeated.set(number, deflated);
      await this.keep(bytes, deflated);
    } else this.append(bytes, known);
  }

  /** Whether there is room for bytes that cannot be deflated; if not, later ones are not taken either. */
  private takes(bytes: Uint8Array): boolean {
    this.isFull ||= !this.memory.take(bytes.byteLength);
    return !this.isFull;
  }

  private async keep(bytes: Uint8Array, deflated: Promise<Buffer>): Promise<void> {
    this.append(bytes, deflated);
    this.memory.give(Math.max(0, bytes.byteLength - (await deflated).byteLength));
  }

  private append(bytes: Uint8Array, deflated: Promise<Buffer>): void {
    this.deflated.push(deflated);
    this.size += bytes.byteLength;
  }
}
