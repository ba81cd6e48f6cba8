/** Pages of a PDF as pictures, and how much two pictures differ. */
import { createRequire } from "node:module";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { RenderParameters } from "pdfjs-dist/types/src/display/api.js";
import sharp from "sharp";

interface Canvas {
  width: number;
  height: number;
  getContext(kind: "2d"): NonNullable<RenderParameters["canvasContext"]>;
  toBuffer(mediaType: "image/png"): Buffer;
}

/** What pdf.js draws on in Node.js. Not imported: its types bring those of browsers, which hide those of Node.js. */
const { createCanvas }: { createCanvas(width: number, height: number): Canvas } = createRequire(
  import.meta.url,
)("@napi-rs/canvas");

/** Picture points of the longer side of a page. */
const pageHeight = 420;
const gap = 6;
const block = 4;
/** Of the area, up to which two pictures count as the same. The date of today is less, the words of another language are more. */
export const tolerance = 0.002;
/** Difference of the mean grey of a block, of 255, from which on it counts as different. */
const visible = 12;

/** Pages as PNG, their longer side of so many picture points. `choose` gives numbers that count from 1. */
export async function pagePictures(
  pdf: Uint8Array,
  longerSide: number,
  choose: (pages: number) => number[] = (pages) => Array.from({ length: pages }, (_, index) => index + 1),
): Promise<Buffer[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await task.promise;
  const pictures: Buffer[] = [];
  for (const number of choose(document.numPages)) {
    const page = await document.getPage(number);
    const size = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: longerSide / Math.max(size.width, size.height) });
    const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
    await page.render({ canvas: null, canvasContext: canvas.getContext("2d"), viewport }).promise;
    pictures.push(canvas.toBuffer("image/png"));
  }
  await task.destroy();
  return pictures;
}

/** The pages side by side, as PNG. `choose` gives numbers that count from 1. */
export async function contactSheet(pdf: Uint8Array, choose: (pages: number) => number[]): Promise<Buffer> {
  const pages: { content: Buffer; width: number; height: number }[] = [];
  // Twice as large first: small type keeps its weight when it is reduced.
  for (const picture of await pagePictures(pdf, 2 * pageHeight, choose)) {
    const size = await sharp(picture).metadata();
    const [width, height] = [Math.round(size.width / 2), Math.round(size.height / 2)];
    pages.push({ content: await sharp(picture).resize(width, height).png().toBuffer(), width, height });
  }
  let left = gap;
  const placed = pages.map(({ content, width }) => {
    const at = { input: content, left, top: gap };
    left += width + gap;
    return at;
  });
  const height = Math.max(...pages.map((page) => page.height)) + 2 * gap;
  return sharp({ create: { width: left, height, channels: 3, background: "#888" } })
    .composite(placed)
    .png()
    .toBuffer();
}

/** A picture in 16 greys, in a fraction of the bytes, to be kept for `difference`: each is less than `visible` from the true one. */
export async function smallPicture(picture: Uint8Array): Promise<Buffer> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const grey = data
    .filter((_, index) => index % info.channels === 0)
    .map((value) => Math.round(value / 17) * 17);
  return sharp(grey, { raw: { width, height, channels: 1 } })
    .png({ palette: true, colours: 16, dither: 0, effort: 10 })
    .toBuffer();
}

/** The share of the area in which two pictures differ visibly, 0 to 1; 1 for pictures of different size. */
export async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([blocks(one), blocks(other)]);
  if (first.width !== second.width || first.height !== second.height) return 1;
  const different = first.means.filter(
    (mean, index) => Math.abs(mean - (second.means[index] ?? 0)) > visible,
  );
  return different.length / first.means.length;
}

/** Mean grey of blocks of picture points, so that a hair's breadth of a glyph makes no difference. */
async function blocks(picture: Uint8Array): Promise<{ width: number; height: number; means: number[] }> {
  const image = sharp(picture).greyscale();
  const { width = 0, height = 0 } = await image.metadata();
  const size = { width: Math.ceil(width / block), height: Math.ceil(height / block) };
  const { data } = await image
    .resize({ ...size, fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, means: [...data] };
}
