/**
 * Joins PDFs, in a process of its own: attachments are foreign input, and neither an endless loop nor a document that
 * unpacks to gigabytes may harm the host. (A thread would not do: the memory limit of a thread does not cover buffers.)
 */
import { EncryptedPDFError, PDFArray, PDFDict, PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { guardAgainstOrphanhood } from "../../orphan-guard.js";
import type { MergeReply, MergeRequest } from "./merge-messages.js";

/** Actions that open nothing and run nothing; all others of a foreign document are dropped. */
const harmlessActions = new Set(["/GoTo", "/URI"]);

guardAgainstOrphanhood(process.ppid);

process.once("message", (request: MergeRequest) => {
  merge(request).then((reply) => process.send?.(reply, () => process.disconnect()), fail);
});

// Ctrl+C and service managers signal this process along with the host, which lets running reports finish.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);

function fail(error: unknown): void {
  process.stderr.write(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}

/** The report is the base and the attachments are put into it: so its title, language and tags stay. */
async function merge(request: MergeRequest): Promise<MergeReply> {
  const report = await PDFDocument.load(request.report, { updateMetadata: false });
  const refused: MergeReply["refused"] = [];
  let room = request.pages;
  const pagesOf = async (content: Uint8Array, index: number): Promise<PDFPage[]> => {
    try {
      const attachment = await PDFDocument.load(content, {
        updateMetadata: false,
        throwOnInvalidObject: false,
      });
      const count = attachment.getPageCount();
      if (count > room) throw new Error(`it has ${count} pages, more than the ${room} that are left`);
      room -= count;
      const pages = await report.copyPages(attachment, attachment.getPageIndices());
      for (const page of pages) disarm(page);
      return pages;
    } catch (error) {
      refused.push({ index, reason: reasonOf(error) });
      return [];
    }
  };
  let position = 0;
  for (const [index, content] of request.before.entries()) {
    for (const page of await pagesOf(content, index)) report.insertPage(position++, page);
  }
  for (const [index, content] of request.after.entries()) {
    for (const page of await pagesOf(content, request.before.length + index)) report.addPage(page);
  }
  const content = await report.save({ updateFieldAppearances: false });
  return { content, pages: report.getPageCount(), refused };
}

/** Takes out what a page would run or open by itself. */
function disarm(page: PDFPage): void {
  page.node.delete(PDFName.of("AA"));
  const annotations = page.node.lookup(PDFName.of("Annots"));
  if (!(annotations instanceof PDFArray)) return;
  for (let index = 0; index < annotations.size(); index++) {
    const annotation = annotations.lookup(index);
    if (!(annotation instanceof PDFDict)) continue;
    annotation.delete(PDFName.of("AA"));
    annotation.delete(PDFName.of("FS"));
    const action = annotation.lookup(PDFName.of("A"));
    const kind = action instanceof PDFDict ? String(action.lookup(PDFName.of("S"))) : undefined;
    if (action instanceof PDFDict) action.delete(PDFName.of("Next"));
    if (kind !== undefined && !harmlessActions.has(kind)) annotation.delete(PDFName.of("A"));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof EncryptedPDFError) return "it is encrypted";
  if (error instanceof Error && error.message.startsWith("it has ")) return error.message;
  return "it is damaged";
}
