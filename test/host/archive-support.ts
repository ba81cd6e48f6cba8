/** Archives as nobody should make them, byte by byte. */
import { gzipSync } from "node:zlib";

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
