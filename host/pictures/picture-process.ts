/**
 * Converts pictures in a separate process: they are foreign input, and a few kilobytes can unpack to gigabytes.
 *
 * Targets (browsers, PDF, workbooks, order files) differ in the kinds of pictures that they know, and in what they make of
 * orientation marks, colour profiles and CMYK. So all of them get PNG or JPEG without any of these.
 */
import { decode as decodeBitmap } from "@cwasm/nsbmp";
import { pictureType } from "@slipway/sdk";
import sharp, { type Metadata, type Sharp } from "sharp";
import { answerHost } from "../system/child-process.js";
import { errorMessage } from "../system/errors.js";
import type { PictureAnswer, PictureQuestion, PictureSize } from "./picture-messages.js";
import { isSrgb } from "./srgb-profile.js";

// Each picture is seen once: libvips need not keep any. One thread per picture leaves the cores to the browser.
sharp.cache(false);
sharp.concurrency(1);

type Settings = PictureQuestion["settings"];

/** Pixels of the longer side of drawings, which have no pixels: sharp in print at the size of a page's column. */
const drawnSide = 1600;
/** SVG user units (CSS pixels) that librsvg draws one to one. */
const usualDensity = 72;

answerHost((content, { task, settings }: PictureQuestion) =>
  (task === "show" ? shown(content, settings) : printed(content, settings)).catch(
    (error: unknown): PictureAnswer => ({ type: "unreadable", reason: errorMessage(error) }),
  ),
);

/** As every program can show it. */
async function shown(content: Uint8Array, settings: Settings): Promise<PictureAnswer> {
  const type = pictureType(content);
  if (type?.mediaType === "image/bmp") return shownBitmap(content, type, settings);
  if (type?.mediaType === "image/svg+xml") return shownDrawing(content, settings);
  const picture = opened(content);
  const metadata = await picture.metadata();
  const refused = beyondLimits(metadata, settings);
  if (refused !== undefined) return refused;
  if (isPlain(metadata)) return { type: "unchanged", width: metadata.width, height: metadata.height };
  return packed(picture.autoOrient(), settings);
}

/** libvips reads no BMP. */
async function shownBitmap(
  content: Uint8Array,
  { width = 0, height = 0 }: Partial<PictureSize>,
  settings: Settings,
): Promise<PictureAnswer> {
  const refused = beyondLimits({ width, height, channels: 4, depth: "uchar" }, settings);
  if (refused !== undefined) return refused;
  const bitmap = decodeBitmap(content);
  const raw = { width: bitmap.width, height: bitmap.height, channels: 4 } as const;
  return packed(sharp(bitmap.data, { raw, limitInputPixels: false }), settings);
}

/** A drawing may have any size, as far as the library can reduce it: by `usualDensity`. */
async function shownDrawing(content: Uint8Array, settings: Settings): Promise<PictureAnswer> {
  const natural = await opened(content, usualDensity).metadata();
  const side = longerSide(natural);
  const wanted = Math.min(Math.max(side, drawnSide), settings.longestSide) / side;
  let drawing = opened(content, densityOf(wanted));
  let metadata = await drawing.metadata();
  // Lengths in millimetres and the like grow with the square of the density.
  if (Math.abs(longerSide(metadata) / side / wanted - 1) > 0.1) {
    drawing = opened(content, densityOf(Math.sqrt(wanted)));
    metadata = await drawing.metadata();
  }
  const answer = beyondLimits(metadata, settings) ?? (await packed(drawing, settings));
  if (answer.type !== "converted" || side > settings.longestSide) return answer;
  return { ...answer, width: natural.width, height: natural.height };
}

function longerSide({ width, height }: PictureSize): number {
  return Math.max(width, height);
}

/** Within the bounds of the library. */
function densityOf(scale: number): number {
  return Math.min(Math.max(usualDensity * scale, 1), 100_000);
}

/**
 * Quick to print. Chromium stores a JPEG in a PDF as it is, but decodes and packs a PNG again in every print, which is two
 * thirds of the time of a report with many pictures; so opaque PNGs become JPEGs, once. Gets what `shown` made.
 */
async function printed(content: Uint8Array, settings: Settings): Promise<PictureAnswer> {
  const picture = opened(content);
  const metadata = await picture.metadata();
  const refused = beyondLimits(metadata, settings);
  if (refused !== undefined) return refused;
  const { width, height, format } = metadata;
  const isSmall = Math.max(width, height) <= settings.longestSide;
  if (isSmall && (format === "jpeg" || width * height < settings.jpegFromPixels))
    return { type: "unchanged", width, height };
  const answer = await packed(picture, settings);
  // A picture with transparency stays a PNG: packing it again gains nothing.
  return isSmall && answer.type === "converted" && answer.mediaType === `image/${format}`
    ? { type: "unchanged", width, height }
    : answer;
}

/** The limit of sharp would make an unreadable picture of one that is too large. Of several pages, the first. */
function opened(content: Uint8Array, density?: number): Sharp {
  return sharp(content, { limitInputPixels: false, failOn: "error", ...(density && { density }) });
}

function beyondLimits(
  { width, height, channels, depth }: Pick<Metadata, "width" | "height" | "channels" | "depth">,
  { inputPixels, inputBytes }: Settings,
): PictureAnswer | undefined {
  const bytes = width * height * channels * (bytesOfDepth.get(depth) ?? 8);
  const isRefused = width * height > inputPixels || bytes > inputBytes;
  return isRefused ? { type: "refused", width, height, bytes } : undefined;
}

const bytesOfDepth = new Map<string, number>([
  ["uchar", 1],
  ["char", 1],
  ["ushort", 2],
  ["short", 2],
  ["uint", 4],
  ["int", 4],
  ["float", 4],
]);

/** Whether every program shows the file itself like this: the colours of sRGB or grey, upright. */
function isPlain({ format, space, depth, orientation = 1, icc }: Metadata): boolean {
  const isKnown = format === "jpeg" || format === "png";
  const isUsual = depth === "uchar" && (space === "srgb" || space === "b-w");
  return isKnown && isUsual && orientation === 1 && (icc === undefined || isSrgb(icc));
}

/** In sRGB: JPEG for what is opaque and no icon, else PNG. At most as large as the settings say. */
async function packed(picture: Sharp, settings: Settings): Promise<PictureAnswer> {
  const { longestSide: side, jpegFromPixels, jpegQuality: quality } = settings;
  const sized = picture.resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
  // Decoded once, whether it turns out to be opaque or not.
  const { data, info } = await sized.toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const raw = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  const hasAlpha = channels === 2 || channels === 4;
  const opaque = hasAlpha && !isOpaque(data, channels) ? undefined : raw.removeAlpha();
  if (opaque !== undefined && width * height >= jpegFromPixels) {
    const content = await opaque.jpeg({ quality, chromaSubsampling: "4:4:4" }).toBuffer();
    return { type: "converted", mediaType: "image/jpeg", content, width, height };
  }
  const content = await (opaque ?? raw).png().toBuffer();
  return { type: "converted", mediaType: "image/png", content, width, height };
}

/** Whether the last of the interleaved channels is full everywhere. */
function isOpaque(data: Uint8Array, channels: number): boolean {
  for (let index = channels - 1; index < data.length; index += channels) {
    if (data[index] !== 255) return false;
  }
  return true;
}
