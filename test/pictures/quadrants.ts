/** One picture in every kind of file that an office has: four quadrants of different colours, 120 × 80 pixels. */
import sharp, { type Sharp } from "sharp";
import { bitmaps, type Colour, type Pixels } from "./bitmaps.js";

const red: Colour = [230, 30, 30];
const green: Colour = [30, 180, 50];
const blue: Colour = [40, 60, 220];
const yellow: Colour = [240, 210, 40];
/** From left to right, from top to bottom. */
const corners = [red, green, blue, yellow];
export const size = { width: 120, height: 80 };

const pixels: Pixels = Array.from({ length: size.height }, (_, row) =>
  Array.from({ length: size.width }, (_, column) => {
    const index = (row < size.height / 2 ? 0 : 2) + (column < size.width / 2 ? 0 : 1);
    return corners[index] ?? red;
  }),
);

/** What a channel may be off by, of 255: lossy packing, five bits, and rendering of pages. */
const usualTolerance = 24;
/** Inks have no such blue; an inverted picture is off by more than 150. */
const inkTolerance = 90;

export interface Sample {
  content: Buffer;
  mediaType: string;
  tolerance: number;
}

/** By names for messages. */
export async function samples(): Promise<Record<string, Sample>> {
  const made: Record<string, Sample> = {};
  const add = async (
    name: string,
    mediaType: string,
    content: Promise<Buffer> | Buffer,
    tolerance = usualTolerance,
  ): Promise<void> => {
    made[name] = { content: await content, mediaType, tolerance };
  };
  const jpeg = { quality: 95, chromaSubsampling: "4:4:4" } as const;
  const avif = { quality: 85, effort: 0, chromaSubsampling: "4:4:4" } as const;
  await add("JPEG", "image/jpeg", picture().jpeg(jpeg).toBuffer());
  await add(
    "JPEG, progressive",
    "image/jpeg",
    picture()
      .jpeg({ ...jpeg, progressive: true })
      .toBuffer(),
  );
  await add("JPEG, CMYK", "image/jpeg", picture().toColourspace("cmyk").jpeg(jpeg).toBuffer(), inkTolerance);
  await add("JPEG, Display P3", "image/jpeg", picture().withIccProfile("p3").jpeg(jpeg).toBuffer());
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const stored = sharp(await turned(orientation)).withMetadata({ orientation });
    await add(`JPEG, orientation ${orientation}`, "image/jpeg", stored.jpeg(jpeg).toBuffer());
  }
  await add("PNG", "image/png", picture().png().toBuffer());
  await add("PNG, 16 bits", "image/png", picture().toColourspace("rgb16").png().toBuffer());
  await add("PNG, palette", "image/png", picture().png({ palette: true }).toBuffer());
  await add("PNG, interlaced", "image/png", picture().png({ progressive: true }).toBuffer());
  await add("PNG, Display P3", "image/png", picture().withIccProfile("p3").png().toBuffer());
  await add("GIF", "image/gif", picture().gif().toBuffer());
  const frames = await Promise.all([picture(), picture().negate()].map((each) => each.png().toBuffer()));
  await add(
    "GIF, animated",
    "image/gif",
    sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
  await add("WebP", "image/webp", picture().webp({ quality: 95 }).toBuffer());
  await add("WebP, lossless", "image/webp", picture().webp({ lossless: true }).toBuffer());
  await add(
    "WebP, animated",
    "image/webp",
    sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer(),
  );
  await add("AVIF", "image/avif", picture().avif(avif).toBuffer());
  await add(
    "AVIF, 10 bits",
    "image/avif",
    picture()
      .avif({ ...avif, bitdepth: 10 })
      .toBuffer(),
  );
  for (const compression of ["none", "lzw", "deflate", "packbits", "jpeg"] as const)
    await add(`TIFF, ${compression}`, "image/tiff", picture().tiff({ compression, quality: 95 }).toBuffer());
  const lzw = { compression: "lzw" } as const;
  await add("TIFF, 16 bits", "image/tiff", picture().toColourspace("rgb16").tiff(lzw).toBuffer());
  await add("TIFF, CMYK", "image/tiff", picture().toColourspace("cmyk").tiff(lzw).toBuffer(), inkTolerance);
  await add("TIFF, Lab", "image/tiff", picture().toColourspace("lab").tiff(lzw).toBuffer());
  await add(
    "TIFF, 2 pages",
    "image/tiff",
    sharp(frames, { join: { animated: true } })
      .tiff(lzw)
      .toBuffer(),
  );
  const sideways = sharp(await turned(6)).withMetadata({ orientation: 6 });
  await add("TIFF, orientation 6", "image/tiff", sideways.tiff(lzw).toBuffer());
  for (const [kind, content] of Object.entries(bitmaps(pixels)))
    await add(`BMP, ${kind}`, "image/bmp", content);
  for (const [kind, attributes] of Object.entries(drawings))
    await add(`SVG, ${kind}`, "image/svg+xml", drawing(attributes));
  return made;
}

const drawings = {
  pixels: `width="${size.width}" height="${size.height}"`,
  "viewBox alone": `viewBox="0 0 ${size.width} ${size.height}"`,
  millimetres: `width="60mm" height="40mm" viewBox="0 0 ${size.width} ${size.height}"`,
  "the units of a plan": `width="240000" height="160000" viewBox="0 0 ${size.width} ${size.height}"`,
};

/** A drawing as Inkscape begins it. */
export function drawing(attributes: string, content = fourRectangles()): Buffer {
  const root = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>`;
  return Buffer.from(`<?xml version="1.0" standalone="no"?>\n<!-- made by hand -->\n${root}${content}</svg>`);
}

function fourRectangles(): string {
  const [width, height] = [size.width / 2, size.height / 2];
  return corners
    .map(
      (colour, index) =>
        `<rect x="${(index % 2) * width}" y="${index < 2 ? 0 : height}" width="${width}" height="${height}" fill="rgb(${colour})"/>`,
    )
    .join("");
}

function picture(): Sharp {
  return sharp(Buffer.from(pixels.flat(2)), { raw: { ...size, channels: 3 } });
}

/** The picture as it is stored so that the mark turns it upright (Exif 2.3, tag 274); sharp mirrors before it turns. */
async function turned(orientation: number): Promise<Buffer> {
  const degrees = [0, 0, 180, 0, 90, 270, 90, 90][orientation - 1] ?? 0;
  const upright = await picture().rotate(degrees).png().toBuffer();
  const mirrored = sharp(upright);
  if (orientation === 2 || orientation === 5) mirrored.flop();
  if (orientation === 4 || orientation === 7) mirrored.flip();
  return mirrored.png().toBuffer();
}

/** How far the four corners of a file's picture are from what they should be: the largest difference of a channel. */
export async function difference(content: Uint8Array): Promise<number> {
  const flat = sharp(content).flatten({ background: "#fff" }).removeAlpha().toColourspace("srgb");
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  const differences = corners.flatMap((colour, index) => {
    const column = Math.round(info.width * (index % 2 === 0 ? 0.25 : 0.75));
    const row = Math.round(info.height * (index < 2 ? 0.25 : 0.75));
    const at = (row * info.width + column) * info.channels;
    return colour.map((value, channel) => Math.abs(value - (data[at + channel] ?? -1000)));
  });
  return Math.max(...differences);
}
