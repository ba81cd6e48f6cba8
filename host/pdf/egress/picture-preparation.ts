/**
 * Makes pictures quick to print. Chromium stores a JPEG in a PDF as it is, but decodes and packs a PNG anew in every
 * print, which is two thirds of the time of a report with many pictures; so opaque PNGs become JPEGs, once.
 */
import { createHash } from "node:crypto";
import type { Log } from "@slipway/sdk";
import sharp from "sharp";
import type { PdfConfiguration } from "../pdf-configuration.js";

export interface LoadedResource {
  mediaType: string;
  content: Uint8Array;
}

// Each picture is seen once: libvips need not keep any. One thread per picture leaves the cores to the browser.
sharp.cache(false);
sharp.concurrency(1);

const pngSignature = [0x89, 0x50, 0x4e, 0x47];
const jpegSignature = [0xff, 0xd8, 0xff];
const decodingSeconds = 10;

/** Prepared pictures by the hash of their original, the least recently used ones dropped at the byte limit. */
export class PicturePreparation {
  private readonly prepared = new Map<string, Promise<LoadedResource>>();
  private readonly sizes = new Map<string, number>();
  private bytes = 0;

  constructor(
    private readonly options: PdfConfiguration["pictures"],
    private readonly log: Log,
  ) {}

  /** The resource as it is best printed; anything but PNG and JPEG pictures comes back untouched. */
  async prepare(resource: LoadedResource): Promise<LoadedResource> {
    const png = startsWith(resource.content, pngSignature);
    if (!png && !startsWith(resource.content, jpegSignature)) return resource;
    const hash = createHash("sha256").update(resource.content).digest("base64");
    const known = this.prepared.get(hash);
    if (known !== undefined) {
      this.prepared.delete(hash); // to the end: most recently used
      this.prepared.set(hash, known);
      return known;
    }
    const converting = this.convert(resource, png);
    this.prepared.set(hash, converting);
    const converted = await converting;
    this.account(hash, converted.content.length);
    return converted;
  }

  private async convert(resource: LoadedResource, png: boolean): Promise<LoadedResource> {
    try {
      const picture = sharp(resource.content, {
        limitInputPixels: this.options.inputPixels,
        failOn: "error",
      });
      const { width, height, hasAlpha, orientation } = await picture.metadata();
      const tooLarge = Math.max(width, height) > this.options.longestSide;
      const small = width * height < this.options.jpegFromPixels;
      const opaque = !hasAlpha || (png && !small && (await picture.stats()).isOpaque);
      const toJpeg = opaque && (png ? !small : true);
      if (!tooLarge && !(png && toJpeg)) return resource;
      const side = this.options.longestSide;
      // Chromium turns pictures by their orientation mark, which the conversion drops: turn them here.
      const turned = orientation === undefined ? picture : picture.autoOrient();
      const sized = tooLarge
        ? turned.resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
        : turned;
      const limited = sized.timeout({ seconds: decodingSeconds });
      if (!toJpeg) return { mediaType: "image/png", content: await limited.png().toBuffer() };
      const jpeg = limited.jpeg({ quality: this.options.jpegQuality, chromaSubsampling: "4:4:4" });
      return { mediaType: "image/jpeg", content: await jpeg.toBuffer() };
    } catch (error) {
      this.log.debug("a picture could not be prepared and is printed as it is", { error });
      return resource;
    }
  }

  private account(hash: string, bytes: number): void {
    this.sizes.set(hash, bytes);
    this.bytes += bytes;
    for (const oldest of this.prepared.keys()) {
      if (this.bytes <= this.options.cacheBytes) break;
      this.bytes -= this.sizes.get(oldest) ?? 0;
      this.sizes.delete(oldest);
      this.prepared.delete(oldest);
    }
  }
}

function startsWith(content: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, index) => content[index] === byte);
}
