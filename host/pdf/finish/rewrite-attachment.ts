/** Rewrites attachments with a lenient parser, because our own parser refuses them. */
import type * as PdfLib from "@cantoo/pdf-lib";

/** An attachment cannot be used. `message` is fit for a client; `cause` says what is wrong with it. */
export class UnusableAttachment extends Error {
  override readonly name = "UnusableAttachment";
}

const loading: PdfLib.LoadOptions = { updateMetadata: false, throwOnInvalidObject: false, preserveXFA: true };
const saving: PdfLib.SaveOptions = {
  useObjectStreams: false,
  addDefaultPage: false,
  updateFieldAppearances: false,
};

/**
 * The whole document with all that it has, without a protection that lets everyone read it, and with fields that show their
 * values. `isRepaired`: it was damaged. Throws `UnusableAttachment` if that parser cannot read it either. Takes long and
 * much memory for hostile input: only in a process that may be ended.
 */
export async function rewriteAttachment(
  content: Uint8Array,
  { isDamaged }: { isDamaged: boolean },
): Promise<{ content: Uint8Array; isRepaired: boolean }> {
  // Loaded where it is needed, because loading it takes longer than joining a few pages.
  const library = await import("@cantoo/pdf-lib");
  try {
    const document = await loadForgiving(library, content);
    return { content: await saved(document, library), isRepaired: isDamaged };
  } catch (error) {
    if (!(error instanceof library.EncryptedPDFError))
      throw new UnusableAttachment("it is damaged", { cause: error });
  }
  try {
    const document = await library.PDFDocument.load(content, { ...loading, password: "" });
    return { content: await saved(document, library), isRepaired: false };
  } catch (error) {
    throw new UnusableAttachment("it needs a password", { cause: error });
  }
}

/** A trailer that is cut off is read like one that is missing. */
async function loadForgiving(
  { PDFDocument, EncryptedPDFError }: typeof PdfLib,
  content: Uint8Array,
): Promise<PdfLib.PDFDocument> {
  try {
    return await PDFDocument.load(content, loading);
  } catch (error) {
    const trailer = Buffer.from(content.buffer, content.byteOffset, content.byteLength).lastIndexOf(
      "trailer",
    );
    if (error instanceof EncryptedPDFError || trailer < 0) throw error;
    return PDFDocument.load(content.subarray(0, trailer), loading);
  }
}

async function saved(document: PdfLib.PDFDocument, library: typeof PdfLib): Promise<Uint8Array> {
  drawFields(document, library);
  return document.save(saving);
}

/** Draws the values of fields that have no appearance, or one that the form says is out of date. */
function drawFields(document: PdfLib.PDFDocument, library: typeof PdfLib): void {
  if (document.catalog.getAcroForm() === undefined) return;
  const form = document.getForm();
  const outdated = library.PDFName.of("NeedAppearances");
  const isOutdated = form.acroForm.dict.lookup(outdated) === library.PDFBool.True;
  const font = form.getDefaultFont();
  const drawn = new Set(font.getCharacterSet());
  for (const field of form.getFields()) {
    try {
      if (![...textOf(field, library)].every((each) => drawn.has(each.codePointAt(0) ?? 0))) continue;
      if (isOutdated) form.markFieldAsDirty(field.ref);
      if (field.needsAppearancesUpdate()) field.defaultUpdateAppearances(font);
    } catch {
      // What cannot be drawn, such as rich text, keeps its appearance. Without one, it counts as damage.
    }
  }
  form.acroForm.dict.delete(outdated);
}

function textOf(field: PdfLib.PDFField, { PDFDropdown, PDFOptionList, PDFTextField }: typeof PdfLib): string {
  if (field instanceof PDFTextField) return (field.getText() ?? "").replace(/[\r\n\t]/g, "");
  return field instanceof PDFDropdown || field instanceof PDFOptionList ? field.getSelected().join("") : "";
}
