/** Small PDFs, written by hand, that carry files: also such as no program writes. */
import { deflateSync } from "node:zlib";

/** A file within a PDF. */
export interface CarriedFile {
  name: string;
  content: Buffer | string;
  /** How often it is packed; default: once. */
  packed?: number;
  /** Further members of its dictionary. */
  more?: string;
}

/** What is odd about a PDF. */
interface Oddities {
  /** Further members of the trailer. */
  trailer?: string;
  /** Instead of the tree of the files. */
  tree?: string;
  /** Added to what the table says of where objects are. */
  shift?: number;
}

/** A PDF with one empty page and these files. */
export function pdfWithFiles(
  files: readonly CarriedFile[],
  { trailer, tree, shift = 0 }: Oddities = {},
): Buffer {
  const first = 5;
  const names = files.map((_, index) => `<${hexName(index)}> ${first + 2 * index} 0 R`);
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles 4 0 R >> >>"),
    Buffer.from("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    Buffer.from("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>"),
    Buffer.from(tree ?? `<< /Names [${names.join(" ")}] >>`),
    ...files.flatMap((file, index) => [
      Buffer.from(
        `<< /Type /Filespec /UF <${hexText(file.name)}> /EF << /F ${first + 2 * index + 1} 0 R >> >>`,
      ),
      streamOf(file),
    ]),
  ];
  const pieces: Uint8Array[] = [Buffer.from("%PDF-1.7\n")];
  const places: number[] = [];
  let length = 9; // of the first line
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    length += piece.length;
  };
  objects.forEach((object, index) => {
    places.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]));
  });
  const table = places.map((place) => `${String(place + shift).padStart(10, "0")} 00000 n \n`).join("");
  const start = length;
  const size = objects.length + 1;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}`));
  add(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer ?? ""} >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(pieces);
}

/** A PDF whose only cross-reference stream is a few kilobytes and unpacks to this many entries. */
export function pdfWithEntries(count: number): Buffer {
  const content = deflateSync(Buffer.alloc(count * 3, "\x01\x00\x09"));
  const head = `9 0 obj\n<< /Type /XRef /W [1 2 0] /Size ${count} /Root 1 0 R /Filter /FlateDecode /Length ${content.length} >>\nstream\n`;
  const beginning = Buffer.from(`%PDF-1.7\n${head}`);
  const end = Buffer.from("\nendstream\nendobj\nstartxref\n9\n%%EOF\n");
  return Buffer.concat([beginning, content, end]);
}

function streamOf({ content, packed = 1, more = "" }: CarriedFile): Buffer {
  let data = Buffer.from(content);
  for (let time = 0; time < packed; time++) data = deflateSync(data);
  const filters = `[${"/FlateDecode ".repeat(packed)}]`;
  const head = `<< /Type /EmbeddedFile /Filter ${filters} /Length ${data.length} ${more} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), data, Buffer.from("\nendstream")]);
}

/** In the order of the files. */
const hexName = (index: number): string => index.toString(16).padStart(8, "0");

const hexText = (text: string): string => `FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}`;
