import { optionalPeer } from "../optional-peer.js";
import { type PdfPage, readPage } from "./pdf-page.js";

/** What a PDF says, as far as a test may ask. */
export interface PdfContent {
  pages: PdfPage[];
  /** The text of all pages, one line for each. */
  text: string;
  title: string | undefined;
  /** Of the whole document, such as "de-DE". */
  language: string | undefined;
  /** Whether it has structure for those who have it read to them. */
  tagged: boolean;
  outline: PdfOutlineEntry[];
  attachments: PdfAttachment[];
}

/** A bookmark. */
export interface PdfOutlineEntry {
  title: string;
  /** From 1; undefined where it leads to no page. */
  page: number | undefined;
  children: PdfOutlineEntry[];
}

/** A file inside of a PDF. */
export interface PdfAttachment {
  name: string;
  bytes: Uint8Array;
}

/**
 * Reads a PDF. Rejects for bytes that are none, and with what to install where the package `pdfjs-dist` is missing.
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfContent> {
  const pdfjs = await optionalPeer(
    "pdfjs-dist",
    "Reading a PDF",
    () => import("pdfjs-dist/legacy/build/pdf.mjs"),
  );
  // The reader keeps the bytes that it is given for itself.
  const task = pdfjs.getDocument({ data: bytes.slice(), verbosity: 0 });
  try {
    const document = await task.promise;
    const pages: PdfPage[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      pages.push(await readPage(document, await document.getPage(number), pdfjs.OPS));
    }
    const [{ info }, marks, outline, attachments] = await Promise.all([
      document.getMetadata(),
      document.getMarkInfo(),
      document.getOutline(),
      document.getAttachments(),
    ]);
    return {
      pages,
      text: pages.map((page) => page.text).join("\n"),
      title: textMember(info, "Title"),
      language: textMember(info, "Language"),
      tagged: marks?.["Marked"] === true,
      outline: await readOutline(outline, (target) => pageOf(document, target)),
      attachments: readAttachments(attachments),
    };
  } finally {
    await task.destroy();
  }
}
