/**
 * Writes ZIP archives of entries that are deflated already, which libraries do not take. Format: PKWARE's APPNOTE.TXT
 * 6.3.10; its sections are named below.
 */

/** One entry before its content. */
export interface ZipEntry {
  name: string;
  /** In UTC, with two seconds' precision; from 1980 to 2107. */
  date: Date;
  /** Before compression; decides whether the entry needs ZIP64. */
  bytes: number;
}

/** What is known after the content of an entry. */
export interface ZipContent {
  crc: number;
  /** Before compression, and after it. */
  bytes: number;
  deflatedBytes: number;
}

interface WrittenEntry extends ZipEntry, ZipContent {
  /** Of the local header, in bytes. */
  offset: number;
}

const largest16 = 0xffff;
const largest32 = 0xffffffff;

/** Deflated content is hardly larger than the original (RFC 1951, section 3.2.4). */
const largestPlain = largest32 - 16 * 1024 * 1024;

/** Versions that are needed to read an entry (4.4.3), and the system and version that made it: UNIX (4.4.2). */
const usualVersion = 20;
const zip64Version = 45;
const madeBy = (3 << 8) | zip64Version;

/** Flags (4.4.4): sizes follow the content; the name is UTF-8, if it is not ASCII. */
const flagsOf = (name: Buffer): number => (1 << 3) | (name.some((byte) => byte > 0x7f) ? 1 << 11 : 0);
const deflatedMethod = 8;

/** A regular file that its owner may write and everyone read (4.4.15). */
const attributes = (0o100644 << 16) >>> 0;

/** The parts of one archive. The caller writes them in the order in which it gets them. */
export class ZipStream {
  private readonly entries: WrittenEntry[] = [];
  private offset = 0;

  /** What comes before the content of an entry (4.3.7). */
  begin(entry: ZipEntry): Buffer {
    const name = Buffer.from(entry.name);
    const isLarge = entry.bytes > largestPlain;
    // Tells readers of streams that the sizes behind the content have eight bytes (4.3.9.2, 4.5.3).
    const extra = isLarge
      ? new Fields(20).short(1).short(16).longLong(0).longLong(0).buffer
      : Buffer.alloc(0);
    const fields = new Fields(30 + name.length + extra.length)
      .long(0x04034b50)
      .short(isLarge ? zip64Version : usualVersion)
      .short(flagsOf(name))
      .short(deflatedMethod)
      .long(dosTime(entry.date))
      .long(0)
      .long(isLarge ? largest32 : 0)
      .long(isLarge ? largest32 : 0)
      .short(name.length)
      .short(extra.length)
      .bytes(name)
      .bytes(extra);
    this.entries.push({ ...entry, crc: 0, deflatedBytes: 0, offset: this.offset });
    this.offset += fields.buffer.length;
    return fields.buffer;
  }

  /** What comes after it (4.3.9). */
  end({ crc, bytes, deflatedBytes: deflated }: ZipContent): Buffer {
    const entry = this.entries.at(-1);
    if (entry === undefined) throw new Error("no entry of the archive was begun");
    const isLarge = entry.bytes > largestPlain;
    Object.assign(entry, { crc, bytes, deflatedBytes: deflated });
    const fields = new Fields(isLarge ? 24 : 16).long(0x08074b50).long(crc);
    if (isLarge) fields.longLong(deflated).longLong(bytes);
    else fields.long(deflated).long(bytes);
    this.offset += deflated + fields.buffer.length;
    return fields.buffer;
  }

  /** The end of the archive (4.3.12 to 4.3.16). */
  directory(): Buffer {
    const headers = Buffer.concat(this.entries.map(centralHeader));
    const count = this.entries.length;
    const isLarge = count >= largest16 || this.offset + headers.length >= largest32;
    const end = new Fields(22)
      .long(0x06054b50)
      .short(0)
      .short(0)
      .short(isLarge ? largest16 : count)
      .short(isLarge ? largest16 : count)
      .long(isLarge ? largest32 : headers.length)
      .long(isLarge ? largest32 : this.offset)
      .short(0);
    if (!isLarge) return Buffer.concat([headers, end.buffer]);
    return Buffer.concat([headers, largeEnd(count, headers.length, this.offset), end.buffer]);
  }
}

function centralHeader({
  name: text,
  date,
  crc,
  bytes,
  deflatedBytes: deflated,
  offset,
}: WrittenEntry): Buffer {
  const name = Buffer.from(text);
  const isLarge = bytes > largestPlain || offset >= largest32;
  const extra = isLarge
    ? new Fields(28).short(1).short(24).longLong(bytes).longLong(deflated).longLong(offset).buffer
    : Buffer.alloc(0);
  return new Fields(46 + name.length + extra.length)
    .long(0x02014b50)
    .short(madeBy)
    .short(isLarge ? zip64Version : usualVersion)
    .short(flagsOf(name))
    .short(deflatedMethod)
    .long(dosTime(date))
    .long(crc)
    .long(isLarge ? largest32 : deflated)
    .long(isLarge ? largest32 : bytes)
    .short(name.length)
    .short(extra.length)
    .short(0)
    .short(0)
    .short(0)
    .long(attributes)
    .long(isLarge ? largest32 : offset)
    .bytes(name)
    .bytes(extra).buffer;
}

/** The ZIP64 end record and its locator (4.3.14, 4.3.15). */
function largeEnd(count: number, length: number, offset: number): Buffer {
  const record = new Fields(56)
    .long(0x06064b50)
    .longLong(44)
    .short(madeBy)
    .short(zip64Version)
    .long(0)
    .long(0)
    .longLong(count)
    .longLong(count)
    .longLong(length)
    .longLong(offset);
  const locator = new Fields(20)
    .long(0x07064b50)
    .long(0)
    .longLong(offset + length)
    .long(1);
  return Buffer.concat([record.buffer, locator.buffer]);
}

/** Date and time as MS-DOS has them (4.4.6). */
function dosTime(date: Date): number {
  const year = date.getUTCFullYear();
  if (year < 1980) return 0x00210000;
  if (year > 2107) return 0xff9fbf7d;
  const day = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}

/** Numbers with the least significant byte first, one after the other. */
class Fields {
  readonly buffer: Buffer;
  private at = 0;

  constructor(length: number) {
    this.buffer = Buffer.alloc(length);
  }

  short(value: number): this {
    this.at = this.buffer.writeUInt16LE(value, this.at);
    return this;
  }

  long(value: number): this {
    this.at = this.buffer.writeUInt32LE(value, this.at);
    return this;
  }

  longLong(value: number): this {
    this.at = this.buffer.writeBigUInt64LE(BigInt(value), this.at);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.buffer.set(value, this.at);
    this.at += value.byteLength;
    return this;
  }
}
