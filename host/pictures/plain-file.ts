/** Tells from the first bytes of most pictures that every program shows them as they are, without asking a process. */

/**
 * Whether a PNG or JPEG has nothing that programs show differently: an orientation mark, a colour profile, CMYK, more
 * than 8 bits per channel. False if its structure alone does not show that.
 */
export function isPlainFile(bytes: Uint8Array, mediaType: string): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === "image/png") return isPlainPng(buffer);
  return mediaType === "image/jpeg" && isPlainJpeg(buffer);
}

/** Segments up to the first scan (ITU-T T.81, B.1). */
function isPlainJpeg(buffer: Buffer): boolean {
  let hasFrame = false;
  for (let at = 2; at + 10 <= buffer.length && buffer[at] === 0xff; at += 2 + buffer.readUInt16BE(at + 2)) {
    const marker = buffer[at + 1] ?? 0;
    if (marker === startOfScan) return hasFrame;
    const text = buffer.toString("latin1", at + 4, at + 16);
    if (marker === app1 && text.startsWith("Exif\0")) return false;
    if (marker === app2 && text.startsWith("ICC_PROFILE")) return false;
    if (usualFrames.has(marker)) {
      const [precision, components] = [buffer[at + 4], buffer[at + 9]];
      hasFrame = precision === 8 && (components === 1 || components === 3);
    }
  }
  return false;
}

const startOfScan = 0xda;
const app1 = 0xe1;
const app2 = 0xe2;
/** Baseline, extended and progressive. */
const usualFrames = new Set([0xc0, 0xc1, 0xc2]);

/** Chunks up to the first one of the image itself (PNG 1.2, section 3.2). */
function isPlainPng(buffer: Buffer): boolean {
  if (buffer.length < 33 || (buffer[24] ?? 16) > 8) return false;
  for (let at = 8; at + 12 <= buffer.length; at += 12 + buffer.readUInt32BE(at)) {
    const name = buffer.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") return true;
    if (name === "iCCP" || name === "eXIf" || name === "cICP") return false;
  }
  return false;
}
