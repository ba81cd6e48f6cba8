/** The one place that knows the kinds of pictures: detects media type and size by the first bytes. */
import { svgRoot } from "./svg-root.js";

/** What the first bytes of a picture say of it. */
export interface PictureType {
  /** For example "image/png". */
  mediaType: string;
  /** Pixels; of PNG, JPEG, GIF and BMP only, as they are stored. */
  width?: number;
  /** Pixels; of PNG, JPEG, GIF and BMP only, as they are stored. */
  height?: number;
}

/** Names of the pictures that cannot be shown, by their media types. */
const unreadable = new Map([
  ["image/heic", "HEIC"],
  ["image/jp2", "JPEG 2000"],
  ["image/jxl", "JPEG XL"],
  ["image/vnd.microsoft.icon", "icon (ICO)"],
  ["image/wmf", "Windows metafile (WMF)"],
  ["image/emf", "Windows metafile (EMF)"],
  ["image/vnd.adobe.photoshop", "Photoshop (PSD)"],
]);

/** The kinds of pictures that reports and exports can show, for messages. */
export const readablePictures = "PNG, JPEG, GIF, WebP, AVIF, SVG, BMP or TIFF";

/**
 * Why no report and no export can show a picture of this type, to continue "it is left out:"; undefined for those that
 * can be shown, and for other types than `pictureType` tells.
 */
export function unshowablePicture(mediaType: string): string | undefined {
  const name = unreadable.get(mediaType);
  return name && `it is a ${name} picture; save it as ${readablePictures}`;
}

/** The same for bytes, which may be no picture at all. */
export function unshowableBytes(type: PictureType | undefined): string | undefined {
  if (type === undefined) return `it is no picture of a known kind; save it as ${readablePictures}`;
  return unshowablePicture(type.mediaType);
}

/** Detects the type by the first bytes; undefined for anything but known pictures. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("latin1", 0, 64);
  if (text.startsWith("\xff\xd8\xff")) return { mediaType: "image/jpeg", ...jpegSize(buffer) };
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return { mediaType: "image/png", ...pngSize(buffer) };
  if (text.startsWith("GIF8")) return { mediaType: "image/gif", ...gifSize(buffer) };
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return { mediaType: "image/webp" };
  if (isBitmap(buffer, text)) return { mediaType: "image/bmp", ...bitmapSize(buffer) };
  const mediaType = otherType(buffer, text) ?? (svgRoot(buffer) ? "image/svg+xml" : undefined);
  return mediaType === undefined ? undefined : { mediaType };
}

function otherType(buffer: Buffer, text: string): string | undefined {
  // TIFF 6.0, section 2; with 43 in place of 42 it is a BigTIFF.
  if (/^(?:II[*+]\0|MM\0[*+])/.test(text)) return "image/tiff";
  if (text.startsWith("ftyp", 4)) return boxedType(buffer, text);
  if (text.startsWith("jP  \r\n\x87\n", 4) || text.startsWith("\xff\x4f\xff\x51")) return "image/jp2";
  if (text.startsWith("JXL \r\n\x87\n", 4) || text.startsWith("\xff\x0a")) return "image/jxl";
  if (text.startsWith("8BPS")) return "image/vnd.adobe.photoshop";
  if (text.startsWith("\xd7\xcd\xc6\x9a")) return "image/wmf";
  if (text.startsWith("\x01\0\0\0") && text.startsWith(" EMF", 40)) return "image/emf";
  if (text.startsWith("\0\0\x01\0") && buffer.length >= 22 && buffer.readUInt16LE(4) > 0)
    return "image/vnd.microsoft.icon";
  return undefined;
}

/** ISO/IEC 14496-12, 4.3: a major brand, its version, then the compatible brands; only a few of them are looked at. */
function boxedType(buffer: Buffer, text: string): string | undefined {
  const length = buffer.readUInt32BE(0);
  const brands = text.slice(8, length);
  if (/^avi[fs]/.test(brands)) return "image/avif";
  if (/^(?:hei[cxms]|hev[cxms])/.test(brands)) return "image/heic";
  if (!/^m(?:if|sf)1/.test(brands)) return undefined;
  return brands.includes("avif") ? "image/avif" : "image/heic";
}

/** "BM" also begins many texts; the header's length identifies the version. */
function isBitmap(buffer: Buffer, text: string): boolean {
  const lengths = [12, 16, 40, 52, 56, 64, 108, 124];
  return text.startsWith("BM") && buffer.length >= 26 && lengths.includes(buffer.readUInt32LE(14));
}

function pngSize(buffer: Buffer): Size {
  return buffer.length < 24 ? {} : size(buffer.readUInt32BE(16), buffer.readUInt32BE(20));
}

function gifSize(buffer: Buffer): Size {
  return buffer.length < 10 ? {} : size(buffer.readUInt16LE(6), buffer.readUInt16LE(8));
}

/** The height is negative if rows are stored top-down. */
function bitmapSize(buffer: Buffer): Size {
  if (buffer.readUInt32LE(14) === 12) return size(buffer.readUInt16LE(18), buffer.readUInt16LE(20));
  return size(buffer.readInt32LE(18), Math.abs(buffer.readInt32LE(22)));
}

/** Reads the segments up to the frame header (SOF0 to SOF15 without DHT, JPG and DAC). */
function jpegSize(buffer: Buffer): Size {
  let position = 2;
  while (position + 9 < buffer.length && buffer[position] === 0xff) {
    const marker = buffer[position + 1] ?? 0;
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return size(buffer.readUInt16BE(position + 7), buffer.readUInt16BE(position + 5));
    position += 2 + buffer.readUInt16BE(position + 2);
  }
  return {};
}

type Size = Pick<PictureType, "width" | "height">;

function size(width: number, height: number): Size {
  return width > 0 && height > 0 ? { width, height } : {};
}
