import { badRequest } from "@slipway/sdk";
import { embeddedFiles, PdfFormatError, readPdf } from "@slipway/sdk/runtime/pdf";

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
    throw badRequest("The PDF carries no project", [
      { path: "body", expected: "a PDF with one embedded file *.obx", received },
    ]);
  } catch (error) {
    if (!(error instanceof PdfFormatError)) throw error;
    throw badRequest("The PDF cannot be read", [
      { path: "body", expected: "an undamaged PDF without encryption", received: error.message },
    ]);
  }
}
