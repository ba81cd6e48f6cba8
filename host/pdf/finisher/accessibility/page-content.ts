import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary } from "../pdf-object.js";

/** The unpacked content of a page. Throws `PdfFormatError` for damage. */
export function contentOf(file: PdfFile, page: PdfDictionary): Uint8Array {
  const contents = page.entries.get("Contents");
  const streams = (file.array(contents) ?? [contents ?? null]).map((each) => file.resolve(each));
  const parts = streams.flatMap((stream) => (isKind(stream, "stream") ? [file.content(stream)] : []));
  const [only, ...more] = parts;
  if (only !== undefined && more.length === 0) return only;
  // The parts of a content stream are one stream, and each ends as if a blank followed.
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]));
}
