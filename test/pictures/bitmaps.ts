/** BMP pictures byte by byte, as programs of several decades wrote them. */

/** Red, green, blue, from 0 to 255. */
export type Colour = readonly [number, number, number];

/** Rows from the top, of colours from the left. */
export type Pixels = readonly (readonly Colour[])[];

/** Every kind of BMP that an office may have, with the same picture. At most 16 colours. */
export function bitmaps(pixels: Pixels): Record<string, Buffer> {
  const upward = pixels.toReversed();
  const palette = coloursOf(pixels);
  const height = pixels.length;
  const colourTable = Buffer.from(palette.flatMap(([red, green, blue]) => [blue, green, red, 0]));
  const shortTable = Buffer.from(palette.flatMap(([red, green, blue]) => [blue, green, red]));
  const indexed = (bits: number): Buffer =>
    rows(upward, (colours) =>
      packed(
        colours.map((colour) => palette.indexOf(colour)),
        bits,
      ),
    );
  const direct = (bytes: number, of: Pixels = upward): Buffer =>
    rows(of, (colours) => colours.flatMap(([red, green, blue]) => [blue, green, red, 255].slice(0, bytes)));
  const words = (word: (colour: Colour) => number): Buffer =>
    rows(upward, (colours) => colours.flatMap((colour) => [word(colour) & 255, word(colour) >> 8]));
  const make = (bits: number, content: Buffer, more: Partial<Parts> = {}): Buffer =>
    bitmap({ width: pixels[0]?.length ?? 0, height, bits, content, ...more });
  const masks565 = uint32(0xf800, 0x07e0, 0x001f);
  const masks8888 = uint32(0x00ff0000, 0x0000ff00, 0x000000ff);
  return {
    "4 bits": make(4, indexed(4), { table: colourTable }),
    "8 bits": make(8, indexed(8), { table: colourTable }),
    "8 bits, RLE": make(8, runs(upward, palette, 8), { table: colourTable, compression: 1 }),
    "4 bits, RLE": make(4, runs(upward, palette, 4), { table: colourTable, compression: 2 }),
    "16 bits": make(
      16,
      words(([red, green, blue]) => ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3)),
    ),
    "16 bits, masks": make(
      16,
      words(([red, green, blue]) => ((red >> 3) << 11) | ((green >> 2) << 5) | (blue >> 3)),
      {
        compression: 3,
        table: masks565,
      },
    ),
    "24 bits": make(24, direct(3)),
    "24 bits, top-down": make(24, direct(3, pixels), { height: -height }),
    "32 bits": make(32, direct(4)),
    "32 bits, masks": make(32, direct(4), { compression: 3, table: masks8888 }),
    "24 bits, version 5": make(24, direct(3), { header: 124 }),
    "8 bits, OS/2": make(8, indexed(8), { header: 12, table: Buffer.concat([shortTable], 768) }),
    "32 bits, alpha never set": make(32, Buffer.from(direct(4).map((byte, at) => (at % 4 === 3 ? 0 : byte)))),
  };
}

/** Of the first picture that Windows had: one bit for each pixel. */
export function blackAndWhite(isBlack: (row: number, column: number) => boolean, side: number): Buffer {
  const content = rows(
    Array.from({ length: side }, (_, row) =>
      Array.from({ length: side }, (_, column) => (isBlack(side - 1 - row, column) ? black : white)),
    ),
    (colours) =>
      packed(
        colours.map((colour) => (colour === white ? 1 : 0)),
        1,
      ),
  );
  const table = Buffer.from([0, 0, 0, 0, 255, 255, 255, 0]);
  return bitmap({ width: side, height: side, bits: 1, content, table });
}

const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];

interface Parts {
  width: number;
  /** Negative: rows from the top. */
  height: number;
  bits: number;
  content: Buffer;
  table: Buffer;
  compression: number;
  /** Bytes of the header. */
  header: number;
}

export function bitmap({
  width,
  height,
  bits,
  content,
  table = Buffer.alloc(0),
  compression = 0,
  header: size = 40,
}: Partial<Parts> & Pick<Parts, "width" | "height" | "bits" | "content">): Buffer {
  const header = Buffer.alloc(size);
  header.writeUInt32LE(size, 0);
  if (size === 12) {
    header.writeUInt16LE(width, 4);
    header.writeUInt16LE(height, 6);
    header.writeUInt16LE(1, 8);
    header.writeUInt16LE(bits, 10);
  } else {
    header.writeInt32LE(width, 4);
    header.writeInt32LE(height, 8);
    header.writeUInt16LE(1, 12);
    header.writeUInt16LE(bits, 14);
    header.writeUInt32LE(compression, 16);
    header.writeUInt32LE(content.length, 20);
    if (compression !== 3) header.writeUInt32LE(table.length / 4, 32);
  }
  const file = Buffer.alloc(14);
  file.write("BM", "latin1");
  file.writeUInt32LE(14 + size + table.length + content.length, 2);
  file.writeUInt32LE(14 + size + table.length, 10);
  return Buffer.concat([file, header, table, content]);
}

function coloursOf(pixels: Pixels): Colour[] {
  return [...new Set(pixels.flat())];
}

/** Each row is a multiple of four bytes. */
function rows(pixels: Pixels, bytesOf: (colours: readonly Colour[]) => number[]): Buffer {
  return Buffer.concat(
    pixels.map((colours) => {
      const bytes = bytesOf(colours);
      return Buffer.from([...bytes, ...Array<number>((4 - (bytes.length % 4)) % 4).fill(0)]);
    }),
  );
}

function packed(indices: readonly number[], bits: number): number[] {
  const perByte = 8 / bits;
  return Array.from({ length: Math.ceil(indices.length / perByte) }, (_, byte) =>
    Array.from({ length: perByte }, (_, at) => indices[byte * perByte + at] ?? 0).reduce(
      (sum, index) => (sum << bits) | index,
      0,
    ),
  );
}

/** Runs of one colour; each row ends with 0 0, the last with 0 1. */
function runs(pixels: Pixels, palette: readonly Colour[], bits: 4 | 8): Buffer {
  const bytes = pixels.flatMap((colours) => {
    const row: number[] = [];
    for (let start = 0, end = 0; start < colours.length; start = end) {
      while (end < colours.length && colours[end] === colours[start] && end - start < 255) end += 1;
      const index = palette.indexOf(colours[start] ?? black);
      row.push(end - start, bits === 4 ? index * 17 : index);
    }
    return [...row, 0, 0];
  });
  return Buffer.from([...bytes.slice(0, -2), 0, 1]);
}

function uint32(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, index * 4);
  return bytes;
}
