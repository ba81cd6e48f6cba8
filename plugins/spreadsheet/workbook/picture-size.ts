/** Pictures that sheets can show, by their first bytes. */
import { pictureType } from "@slipway/sdk";

/** A picture of a sheet; sizes are pixels. */
export interface SheetPicture {
  extension: "png" | "jpeg" | "gif" | "bmp";
  width: number;
  height: number;
}

/** The kind and size of a picture, or in a few words why a sheet cannot show it. */
export function sheetPicture(bytes: Uint8Array): SheetPicture | string {
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

const tooShort = "it is damaged: it does not say how large it is";

/** Its height is negative where the rows come from the top. */
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
