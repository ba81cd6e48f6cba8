/**
 * Makes pictures quick to print, in a process of its own: they are foreign input, and a few megabytes can unpack to
 * gigabytes. Chromium stores a JPEG in a PDF as it is, but decodes and packs a PNG anew in every print, which is two
 * thirds of the time of a report with many pictures; so opaque PNGs become JPEGs, once.
 */
import sharp, { type Sharp } from "sharp";
import { answerHost } from "../../system/child-process.js";
import { errorMessage } from "../../system/errors.js";
import type { PictureAnswer, PictureQuestion } from "./picture-messages.js";

// Each picture is seen once: libvips need not keep any. One thread per picture leaves the cores to the browser.
sharp.cache(false);
sharp.concurrency(1);

answerHost((content, settings: PictureQuestion) =>
  prepared(content, settings).catch(
    (error: unknown): PictureAnswer => ({ type: "unreadable", reason: errorMessage(error) }),
  ),
);

async function prepared(content: Uint8Array, settings: PictureQuestion): Promise<PictureAnswer> {
  // The limit of sharp would make an unreadable picture of one that is too large.
  const picture = sharp(content, { limitInputPixels: false, failOn: "error" });
  const { width, height, channels, depth, format, hasAlpha, orientation } = await picture.metadata();
  // Channels of PNG and JPEG have 8 bits, when they are decoded, or 16.
  const bytes = width * height * channels * (depth === "uchar" ? 1 : 2);
  if (width * height > settings.inputPixels || bytes > settings.inputBytes)
    return { type: "refused", width, height, bytes };

  const side = settings.longestSide;
  const tooLarge = Math.max(width, height) > side;
  const mayBeJpeg = format === "jpeg" || width * height >= settings.jpegFromPixels;
  if (!tooLarge && (format === "jpeg" || !mayBeJpeg)) return { type: "unchanged" };
  // Chromium turns pictures by their orientation mark, which the conversion drops: turn them here.
  const turned = orientation === undefined ? picture : picture.autoOrient();
  const sized = tooLarge
    ? turned.resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    : turned;
  if (!mayBeJpeg) return png(sized);
  if (!hasAlpha) return jpeg(sized, settings.jpegQuality);

  // Decoded once, whether it turns out to be opaque or not.
  const { data, info } = await sized.raw().toBuffer({ resolveWithObject: true });
  const { width: rawWidth, height: rawHeight, channels: rawChannels } = info;
  const raw = sharp(data, { raw: { width: rawWidth, height: rawHeight, channels: rawChannels } });
  if (isOpaque(data, rawChannels)) return jpeg(raw.removeAlpha(), settings.jpegQuality);
  return tooLarge ? png(raw) : { type: "unchanged" };
}

/** Whether the last of the interleaved channels is full everywhere. */
function isOpaque(data: Uint8Array, channels: number): boolean {
  for (let index = channels - 1; index < data.length; index += channels) {
    if (data[index] !== 255) return false;
  }
  return true;
}

async function png(picture: Sharp): Promise<PictureAnswer> {
  return { type: "prepared", mediaType: "image/png", content: await picture.png().toBuffer() };
}

async function jpeg(picture: Sharp, quality: number): Promise<PictureAnswer> {
  const content = await picture.jpeg({ quality, chromaSubsampling: "4:4:4" }).toBuffer();
  return { type: "prepared", mediaType: "image/jpeg", content };
}
