/** Archives as nobody should make them, byte by byte. */
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

export interface HandmadeEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** The type flag; "0" is a file. */
  type?: string;
  /** Target of a link. */
  target?: string;
  mode?: number;
  /** Of the content, where the header lies. */
  size?: number;
  /** Makes the checksum a wrong one. */
  damaged?: boolean;
}

const block = 512;

/** The uncompressed archive, with its end unless `open`. */
export function handmadeTar(entries: readonly HandmadeEntry[], open = false): Buffer {
  return Buffer.concat([...entries.flatMap(entryBlocks), Buffer.alloc(open ? 0 : 2 * block)]);
}

/** A `.tgz` of the entries below "package/package.json". */
export function handmadeArchive(...entries: HandmadeEntry[]): Buffer {
  return gzipSync(handmadeTar([{ name: "package/package.json", content: "{}" }, ...entries]));
}

/** A pax header that says something of the entry after it. */
export function pax(records: Record<string, string>, type = "x"): HandmadeEntry {
  const content = Object.entries(records).map(([key, value]) => record(`${key}=${value}\n`));
  return { name: "PaxHeader/x", type, content: content.join("") };
}

function record(text: string): string {
  const bytes = Buffer.byteLength(text) + 1;
  let length = bytes + String(bytes).length;
  while (String(length).length + bytes !== length) length = bytes + String(length).length;
  return `${length} ${text}`;
}

function entryBlocks(entry: HandmadeEntry): Buffer[] {
  const content = Buffer.from(entry.content ?? "");
  return [
    header(entry, entry.size ?? content.length),
    content,
    Buffer.alloc((block - (content.length % block)) % block),
  ];
}

function header(
  { name, type = "0", target = "", mode = 0o644, damaged = false }: HandmadeEntry,
  size: number,
): Buffer {
  const bytes = Buffer.alloc(block);
  Buffer.from(name).copy(bytes, 0, 0, 100);
  bytes.write(
    `${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0`,
    100,
    "latin1",
  );
  bytes.write("        ", 148, "latin1");
  bytes.write(type, 156, "latin1");
  bytes.write(target, 157, 100, "utf8");
  bytes.write("ustar\x0000", 257, "latin1");
  const sum = bytes.reduce((total, each) => total + each, damaged ? 1 : 0);
  bytes.write(`${octal(sum, 6)}\0 `, 148, "latin1");
  return bytes;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

export interface HandmadeZipEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** Mode of Unix, type included; without it the archive was made on Windows. */
  mode?: number;
  /** Attributes of Windows. */
  attributes?: number;
  /** General purpose flag. */
  flags?: number;
  /** Compression method. */
  method?: number;
  /** Size that the directory tells. */
  size?: number;
  /** Makes the checksum a wrong one. */
  damaged?: boolean;
  /** Name where the content is. */
  localName?: string;
}

/** A ZIP archive of the entries. */
export function handmadeZip(...entries: HandmadeZipEntry[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, mode, attributes = 0, localName, method = 8 } = entry;
    const content = Buffer.from(entry.content ?? "");
    const stored = method === 8 ? deflateRawSync(content) : content;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? 0, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE((crc32(content) + (entry.damaged ? 1 : 0)) >>> 0, 10);
    common.writeUInt32LE(stored.length, 14);
    common.writeUInt32LE(entry.size ?? content.length, 18);
    const nameHere = Buffer.from(localName ?? name);
    common.writeUInt16LE(nameHere.length, 22);
    const head = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, nameHere]);
    const listed = Buffer.alloc(46);
    listed.write("PK\x01\x02", "latin1");
    listed.writeUInt16LE(mode === undefined ? 20 : 0x0314, 4);
    common.copy(listed, 6);
    listed.writeUInt16LE(Buffer.from(name).length, 28);
    listed.writeUInt32LE(mode === undefined ? attributes : mode * 0x10000, 38);
    listed.writeUInt32LE(offset, 42);
    directory.push(listed, Buffer.from(name));
    local.push(head, stored);
    offset += head.length + stored.length;
  }
  const end = Buffer.alloc(22);
  const size = Buffer.concat(directory).length;
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...directory, end]);
}
