import { optionalPeer } from "./optional-peer.js";
import type { PdfAttachment, PdfContent, PdfPage } from "./pdf-content.js";
import { outlineOf } from "./pdf-destinations.js";
import { readPage } from "./read-pdf-page.js";

/**
 * Reads a PDF. Rejects for bytes that are not a PDF; if the package `pdfjs-dist` is missing, the error says
 * what to install.
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfContent> {
  const { getDocument, OPS } = await optionalPeer(
    "pdfjs-dist",
    "Reading a PDF",
    () => import("pdfjs-dist/legacy/build/pdf.mjs"),
  );
  // A copy, because pdf.js transfers the buffer it is given.
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  try {
    const document = await task.promise;
    const pages: PdfPage[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      pages.push(await readPage(document, await document.getPage(number), OPS));
    }
    const { info } = await document.getMetadata();
    return {
      pages,
      text: pages.map((page) => page.text).join("\n"),
      title: textMember(info, "Title"),
      language: textMember(info, "Language"),
      tagged: (await document.getMarkInfo())?.Marked === true,
      outline: await outlineOf(document),
      attachments: attachmentsOf(await document.getAttachments()),
    };
  } finally {
    await task.destroy();
  }
}

function textMember(object: object, name: string): string | undefined {
  const member: unknown = Reflect.get(object, name);
  return typeof member === "string" && member !== "" ? member : undefined;
}

function attachmentsOf(found: unknown): PdfAttachment[] {
  const members: unknown[] = typeof found === "object" && found !== null ? Object.values(found) : [];
  return members.flatMap((member) => {
    if (typeof member !== "object" || member === null) return [];
    const name = textMember(member, "filename");
    const bytes: unknown = Reflect.get(member, "content");
    return name !== undefined && bytes instanceof Uint8Array ? [{ name, bytes }] : [];
  });
}
