/** The pictures of a workbook; each is stored once, even if it is shown several times. */

import { pictureType } from "@slipway/sdk";
import type { WorkbookContext } from "./workbook-context.js";

/** A picture of a sheet; sizes in pixels. */
interface SheetPicture {
  extension: "png" | "jpeg" | "gif" | "bmp";
  width: number;
  height: number;
}

const tooShort = "it is damaged: it does not say how large it is";

/** A picture stored in the file. */
export interface Medium extends SheetPicture {
  /** Such as "image7.png". */
  readonly name: string;
}

/** Reads pictures one at a time, and keeps track of written and unusable ones. */
export class Media {
  readonly #context: Pick<WorkbookContext, "asset" | "suppress">;
  /** By asset key; undefined for omitted pictures. */
  readonly #known = new Map<string, Medium | undefined>();
  #written = 0;

  constructor(context: Pick<WorkbookContext, "asset" | "suppress">) {
    this.#context = context;
  }

  /** The picture, if it is stored in the file. */
  find(asset: string): Medium | undefined {
    return this.#known.get(asset);
  }

  /** A picture to write now; undefined if it is already written or must be left out. */
  async next(asset: string): Promise<{ medium: Medium; bytes: Uint8Array } | undefined> {
    if (this.#known.has(asset)) return undefined;
    const bytes = await this.#context.asset(asset);
    const picture = bytes === undefined ? "it is missing in the project" : sheetPicture(bytes);
    if (bytes === undefined || typeof picture === "string") {
      this.#leaveOut(asset, String(picture));
      return undefined;
    }
    this.#written++;
    const medium = { ...picture, name: `image${this.#written}.${picture.extension}` };
    this.#known.set(asset, medium);
    return { medium, bytes };
  }

  #leaveOut(asset: string, reason: string): void {
    this.#known.set(asset, undefined);
    this.#context.suppress({
      id: "item-image-error",
      message: `The picture "${asset}" was left out: ${reason}.`,
      additionalInformation: { asset },
    });
  }
}

/** The type and size of a picture, or the reason why a sheet cannot show it. */
function sheetPicture(bytes: Uint8Array): SheetPicture | string {
  const known = pictureType(bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (known?.mediaType) {
    case "image/png":
      return withSize("png", known.width, known.height);
    case "image/jpeg":
      return withSize("jpeg", known.width, known.height);
    case "image/gif":
      return buffer.length < 10 ? tooShort : withSize("gif", buffer.readUInt16LE(6), buffer.readUInt16LE(8));
    case undefined:
      return bitmap(buffer);
    default:
      return `sheets cannot show ${known?.mediaType}`;
  }
}

/** The height is negative if rows are stored top-down. */
function bitmap(buffer: Buffer): SheetPicture | string {
  if (buffer.toString("latin1", 0, 2) !== "BM") return "it is no PNG, JPEG, GIF or BMP picture";
  if (buffer.length < 26) return tooShort;
  const isOld = buffer.readUInt32LE(14) === 12;
  return isOld
    ? withSize("bmp", buffer.readUInt16LE(18), buffer.readUInt16LE(20))
    : withSize("bmp", buffer.readInt32LE(18), Math.abs(buffer.readInt32LE(22)));
}

function withSize(
  extension: SheetPicture["extension"],
  width: number | undefined,
  height: number | undefined,
): SheetPicture | string {
  if (width === undefined || height === undefined || width <= 0 || height <= 0) return tooShort;
  return { extension, width, height };
}
