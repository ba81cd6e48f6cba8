/** PDFs that the strict reader refuses: damaged, encrypted, or written in a way that it does not know. */
import type * as PdfLib from "@cantoo/pdf-lib";
import { PdfFormatError } from "./pdf-object.js";

/** An attachment cannot be used. `message` is fit for a client; `cause` says what is wrong with it. */
export class UnusableAttachment extends Error {
  override readonly name = "UnusableAttachment";
}

/**
 * The whole document written anew by a parser that forgives much, with all that it has. Throws `UnusableAttachment` if
 * that cannot read it either. Takes long and much memory for hostile input: only in a process that may be ended.
 */
export async function rewritten(content: Uint8Array): Promise<Uint8Array> {
  // Loaded where it is needed, because loading it takes longer than joining a few pages.
  const { EncryptedPDFError, PDFDocument } = await import("@cantoo/pdf-lib");
  try {
    const document = await PDFDocument.load(content, { updateMetadata: false, throwOnInvalidObject: false });
    return await document.save(saving);
  } catch (error) {
    const reason = error instanceof EncryptedPDFError ? "it is encrypted" : "it is damaged";
    throw new UnusableAttachment(reason, { cause: error });
  }
}

const saving: PdfLib.SaveOptions = {
  useObjectStreams: false,
  addDefaultPage: false,
  updateFieldAppearances: false,
};

/** Why an attachment was left out, for a client and for the log. Throws what is no fault of the attachment. */
export function refusalOf(error: unknown): { reason: string; cause: string } {
  if (error instanceof UnusableAttachment)
    return { reason: error.message, cause: error.cause === undefined ? "" : String(error.cause) };
  if (error instanceof PdfFormatError) return { reason: "it is damaged", cause: error.message };
  throw error;
}
