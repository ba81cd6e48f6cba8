import { crc32 } from "node:zlib";
import { blockBytes, deflateBlock } from "./deflate-block.js";
import type { MemoryBudget } from "./memory-budget.js";

/**
 * The beginning of a file, deflated while the file is written: as much as fits into memory. Repeated texts are deflated
 * and held only once. The rest of the file is deflated when it is archived.
 */
export class DeflatedBeginning {
  private readonly deflated: Promise<Buffer>[] = [];
  private readonly repeated = new Map<number, Promise<Buffer>>();
  private size = 0;
  private checksum = 0;
  private isFull = false;

  constructor(private readonly memory: MemoryBudget) {}

  /** Bytes of the file that it has. */
  get bytes(): number {
    return this.size;
  }

  /** CRC-32 of these bytes. */
  get crc(): number {
    return this.checksum;
  }

  /** The deflated blocks in order. */
  get blocks(): readonly Promise<Buffer>[] {
    return this.deflated;
  }

  /** Adds the next bytes of the file; resolves when they are deflated. */
  async add(bytes: Uint8Array): Promise<void> {
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
    this.checksum = crc32(bytes, this.checksum);
  }
}
