import { isKind, type PdfDictionary, type PdfFile } from "@slipway/sdk/runtime/pdf";

/** The unpacked contents of pages, each unpacked once until it is taken. Throws `PdfFormatError` for damage. */
export class PageContents {
  private readonly contents = new Map<PdfDictionary, Uint8Array>();

  constructor(private readonly file: PdfFile) {}

  of(page: PdfDictionary): Uint8Array {
    const content = this.contents.get(page) ?? pageContent(this.file, page);
    this.contents.set(page, content);
    return content;
  }

  /** For the last one who needs it. */
  take(page: PdfDictionary): Uint8Array {
    const content = this.of(page);
    this.contents.delete(page);
    return content;
  }
}

/** The unpacked content of a page. */
export function pageContent(file: PdfFile, page: PdfDictionary): Uint8Array {
  const contents = page.entries.get("Contents");
  const streams = (file.array(contents) ?? [contents ?? null]).map((each) => file.resolve(each));
  const parts = streams.flatMap((stream) => (isKind(stream, "stream") ? [file.content(stream)] : []));
  const [only, ...more] = parts;
  if (only !== undefined && more.length === 0) return only;
  // The parts of a content stream are one stream, and each ends as if a blank followed.
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]));
}
