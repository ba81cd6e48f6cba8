/**
 * Pictures in the cache folder of an OBK. A picture with the URI "gen:<uuid>" is the entry `cache/<MD5 of the
 * URI>`: a header of seven big-endian numbers, the generation attributes (length-prefixed texts,
 * NUL-terminated and padded to four bytes), then the picture itself.
 */
import { createHash } from "node:crypto";

/** A picture and its generation attributes: "alpha", "width", "bgColor" and others. */
export interface CacheEntry {
  attributes: Record<string, string>;
  content: Uint8Array;
}

const magic = 0x0e9a5b42;
const headLength = 28;

/** The name of the container entry for a picture URI. */
export function cacheEntryName(uri: string): string {
  return `cache/${createHash("md5").update(uri, "utf8").digest("hex").toUpperCase()}`;
}

/**
 * Parses an entry; without a header, the entry is the plain picture. Undefined if the header is inconsistent.
 */
export function parseCacheEntry(bytes: Uint8Array): CacheEntry | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < headLength || buffer.readUInt32BE(0) !== magic)
    return { attributes: {}, content: bytes };
  const start = buffer.readUInt32BE(20);
  const length = buffer.readUInt32BE(24);
  if (start < headLength || start + length > buffer.length) return undefined;
  const end = Math.min(start, buffer.readUInt32BE(8) + buffer.readUInt32BE(12));
  return {
    attributes: parseAttributes(buffer.subarray(buffer.readUInt32BE(8), end), buffer.readUInt32BE(16)),
    content: buffer.subarray(start, start + length),
  };
}

export function writeCacheEntry(entry: CacheEntry): Uint8Array {
  const pairs = Object.entries(entry.attributes).sort(([first], [second]) => (first < second ? -1 : 1));
  const attributes = Buffer.concat(pairs.flat().map(field));
  const start = headLength + attributes.length;
  const head = Buffer.alloc(headLength);
  [magic, 1, headLength, attributes.length, pairs.length, start, entry.content.length].forEach(
    (number, index) => {
      head.writeUInt32BE(number, index * 4);
    },
  );
  return Buffer.concat([head, attributes, entry.content]);
}

function field(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`, "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

/** Reads the attributes until a length points outside the bytes. */
function parseAttributes(bytes: Buffer, count: number): Record<string, string> {
  const texts: string[] = [];
  let position = 0;
  while (texts.length < count * 2 && position + 4 <= bytes.length) {
    const length = bytes.readUInt32BE(position);
    const end = position + 4 + length;
    if (length === 0 || end > bytes.length) break;
    texts.push(bytes.toString("utf8", position + 4, end - 1));
    position = end + ((4 - (length % 4)) % 4);
  }
  const attributes = new Map<string, string>();
  for (let index = 0; index + 1 < texts.length; index += 2) {
    attributes.set(texts[index] ?? "", texts[index + 1] ?? "");
  }
  return Object.fromEntries(attributes);
}
