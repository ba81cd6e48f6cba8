import { badRequest } from "@slipway/sdk";
import { embeddedFiles, PdfEncryptedError, PdfFormatError, readPdf } from "@slipway/sdk/runtime/pdf";

/** Of the OBX, as of all files of an OBK together. */
const unpackedBytes = 256 * 1024 ** 2;

/**
 * The OBX that a PDF carries, such as that of an order.
 * @throws {RequestError} 400 `request-bad-request` for a damaged PDF, and for one with no OBX or several
 */
export function projectInPdf(bytes: Uint8Array): Uint8Array {
  try {
    const file = readPdf(bytes);
    const projects = embeddedFiles(file).filter(({ name }) => /\.obx$/i.test(name));
    const [project] = projects;
    if (project !== undefined && projects.length === 1) return file.content(project.content, unpackedBytes);
    const received = projects.length === 0 ? "none" : `${projects.length} of them`;
    const message =
      projects.length === 0
        ? "This PDF has no project in it. Open an order PDF that was made with its OBX inside, or a project file."
        : `This PDF has ${projects.length} projects in it (*.obx). Save one of them from the PDF and open that file.`;
    throw badRequest({ message }, [
      { path: "body", expected: "a PDF with one embedded file *.obx", received },
    ]);
  } catch (error) {
    if (!(error instanceof PdfFormatError)) throw error;
    const message =
      error instanceof PdfEncryptedError
        ? "This PDF needs a password or is protected. Save it without protection and try again."
        : "This PDF is damaged. Open it in a PDF program, save it again, and try again.";
    throw badRequest({ message }, [
      { path: "body", expected: "an undamaged PDF without encryption", received: error.message },
    ]);
  }
}
