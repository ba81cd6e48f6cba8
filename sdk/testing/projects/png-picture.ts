import { crc32, deflateSync } from "node:zlib";

/** A picture of one colour. */
export interface PictureDescription {
  /** Picture points; default 4. */
  width?: number;
  /** Picture points; default 4. */
  height?: number;
  /** Six hexadecimal digits; default "4477aa". */
  colour?: string;
}

/** The bytes of a PNG of one colour. Equal descriptions give equal bytes. */
export function pngPicture({
  width = 4,
  height = 4,
  colour = "4477aa",
}: PictureDescription = {}): Uint8Array {
  if (!/^[0-9a-f]{6}$/i.test(colour))
    throw new RangeError(`pngPicture: expected a colour of six hexadecimal digits, received "${colour}"`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // bits of each colour; red, green and blue
  const row = Buffer.alloc(1 + 3 * width);
  row.fill(Buffer.from(colour, "hex"), 1);
  const rows = Buffer.alloc(row.length * height, row);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
}

function chunk(type: string, content: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const framed = Buffer.alloc(checked.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(checked, 4);
  framed.writeUInt32BE(crc32(checked), framed.length - 4);
  return framed;
}
