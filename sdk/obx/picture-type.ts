/** Detects media type and size of pictures. */

export interface PictureType {
  /** For example "image/png". */
  mediaType: string;
  /** Pixels. */
  width?: number;
  /** Pixels. */
  height?: number;
}

/** Detects the type by the first bytes; undefined if a report cannot show the picture. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(buffer, [0xff, 0xd8, 0xff])) return { mediaType: "image/jpeg", ...jpegSize(buffer) };
  if (startsWith(buffer, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) {
    return { mediaType: "image/png", ...pngSize(buffer) };
  }
  if (buffer.toString("latin1", 0, 4) === "GIF8") return { mediaType: "image/gif" };
  if (buffer.toString("latin1", 0, 4) === "RIFF" && buffer.toString("latin1", 8, 12) === "WEBP") {
    return { mediaType: "image/webp" };
  }
  if (/^(\uFEFF)?\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(buffer.toString("utf8", 0, 400))) {
    return { mediaType: "image/svg+xml" };
  }
  return undefined;
}

function startsWith(buffer: Buffer, bytes: number[]): boolean {
  return bytes.every((byte, index) => buffer[index] === byte);
}

function pngSize(buffer: Buffer): { width?: number; height?: number } {
  return buffer.length < 24 ? {} : size(buffer.readUInt32BE(16), buffer.readUInt32BE(20));
}

/** Reads the segments up to the frame header (SOF0 to SOF15 without DHT, JPG and DAC). */
function jpegSize(buffer: Buffer): { width?: number; height?: number } {
  let position = 2;
  while (position + 9 < buffer.length && buffer[position] === 0xff) {
    const marker = buffer[position + 1] ?? 0;
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return size(buffer.readUInt16BE(position + 7), buffer.readUInt16BE(position + 5));
    position += 2 + buffer.readUInt16BE(position + 2);
  }
  return {};
}

function size(width: number, height: number): { width?: number; height?: number } {
  return width > 0 && height > 0 ? { width, height } : {};
}
