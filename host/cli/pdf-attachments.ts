import { extname } from "node:path";
import { cleanFilename } from "@slipway/sdk/runtime/host";
import { embeddedFiles, PdfFormatError, readPdf } from "@slipway/sdk/runtime/pdf";

/** A file within a PDF; `content` unpacks it. */
export interface Attachment {
  name: string;
  /** Throws `PdfFormatError` for damaged data, and beyond the limit of all files together. */
  content(): Uint8Array;
}

/** Bytes of all files together; a small PDF can unpack to more than a disk can store. */
const mostBytes = 1024 ** 3;
/** File systems take 255, in UTF-8. */
const longestName = 240;
/** Bytes; longer endings are not file types. */
const longestExtension = 32;

/** The files within a PDF, under names that are safe and different from each other. Throws `PdfFormatError`. */
export function attachmentsOf(pdf: Uint8Array): Attachment[] {
  const file = readPdf(pdf);
  const names = new FreeNames();
  let left = mostBytes;
  return embeddedFiles(file).map((each) => {
    const name = names.take(cleanFilename(each.name));
    const content = (): Uint8Array => {
      try {
        const found = file.content(each.content, left);
        left -= found.length;
        return found;
      } catch (error) {
        if (!(error instanceof PdfFormatError)) throw error;
        throw new PdfFormatError(`${name} cannot be taken out: ${error.message}`, { cause: error });
      }
    };
    return { name, content };
  });
}

/** Makes names that differ even without regard to case, and fit file systems. */
class FreeNames {
  private readonly taken = new Set<string>();
  /** The last number by name (lower case, without a number). */
  private readonly numbers = new Map<string, number>();

  /** `wanted`, with a number before its extension if the name is taken. */
  take(wanted: string): string {
    const key = wanted.toLowerCase();
    for (let next = (this.numbers.get(key) ?? 0) + 1; ; next++) {
      const name = numbered(wanted, next);
      if (this.taken.has(name.toLowerCase())) continue;
      this.numbers.set(key, next);
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
