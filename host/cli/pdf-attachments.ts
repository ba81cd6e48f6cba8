import { extname } from "node:path";
import { cleanFilename } from "@slipway/sdk/runtime/host";
import { embeddedFiles, PdfFormatError, readPdf } from "@slipway/sdk/runtime/pdf";

/** A file within a PDF, which is unpacked when its content is asked for. */
export interface Attachment {
  name: string;
  /** Throws `PdfFormatError` for damaged data and for more than all files together may have. */
  content(): Uint8Array;
}

/** Bytes of all files together; a small PDF can carry more than a disk holds. */
const mostBytes = 1024 ** 3;
/** File systems take 255, in UTF-8. */
const longestName = 240;

/** Bytes; longer endings are no types of files. */
const longestExtension = 32;

/** The files within a PDF, under names that are safe and different from each other. Throws `PdfFormatError`. */
export function attachmentsOf(pdf: Uint8Array): Attachment[] {
  const file = readPdf(pdf);
  const names = new FreeNames();
  let left = mostBytes;
  return embeddedFiles(file).map((each) => ({
    name: names.take(cleanFilename(each.name)),
    content() {
      if (left === 0) throw new PdfFormatError(`The files have more than ${mostBytes} bytes.`);
      const found = file.content(each.content, left);
      left -= found.length;
      return found;
    },
  }));
}

/** Names that differ also where capital letters do not count, and are no longer than file systems take. */
class FreeNames {
  private readonly taken = new Set<string>();
  /** By the name without a number, the last one that it got. */
  private readonly numbers = new Map<string, number>();

  /** `wanted`, with a number before its extension if there is one already. */
  take(wanted: string): string {
    const number = this.numbers.get(wanted) ?? 0;
    for (let next = number + 1; ; next++) {
      const name = numbered(wanted, next);
      if (this.taken.has(name.toLowerCase())) continue;
      this.numbers.set(wanted, next);
      this.taken.add(name.toLowerCase());
      return name;
    }
  }
}

function numbered(wanted: string, number: number): string {
  const found = extname(wanted);
  const extension = Buffer.byteLength(found) > longestExtension ? "" : found;
  const ending = number === 1 ? extension : `-${number}${extension}`;
  const characters = [...wanted.slice(0, wanted.length - extension.length)];
  while (Buffer.byteLength(characters.join("")) > longestName - Buffer.byteLength(ending)) characters.pop();
  return `${characters.join("")}${ending}`;
}
