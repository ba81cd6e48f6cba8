/** The files of an export within its PDF, so that people and programs get one file. */
import { badRequest, type Host, RequestError, type StoredFile } from "@slipway/sdk";
import type { EmbeddableFile } from "../configuration/embeddable-files.js";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { ExportFileNames } from "./export-file-names.js";

type Entry = Parameters<Host["pdf"]["embed"]>[0]["files"][number];

/** Files of an export, as far as they were created. */
interface ExportFiles {
  pdf: StoredFile | undefined;
  oex: StoredFile | undefined;
  obx: StoredFile | undefined;
}

/** Whether the configuration embeds a file in the PDF. */
export function isEmbedded(configuration: ExportConfiguration, file: EmbeddableFile): boolean {
  return configuration.embedInPDF?.includes(file) ?? false;
}

/** The names of the files that the PDF is to carry, in the order of the configuration. */
export function embeddedNames({ embedInPDF = [] }: ExportConfiguration, names: ExportFileNames): string[] {
  return embedInPDF.map((file) => (file === "OEX" ? names.oex : names.obx));
}

/**
 * @throws {RequestError} 400 `request-bad-request` if files are to be embedded in a PDF that is not created
 */
export function checkEmbedding({ embedInPDF = [], attachPDF }: ExportConfiguration): void {
  if (embedInPDF.length === 0 || attachPDF) return;
  const expected = "true, because embedInPDF names files to embed in the PDF";
  throw badRequest("The configuration contradicts itself", [
    { path: "body.config.attachPDF", expected, received: "false" },
  ]);
}

/**
 * The PDF with the configured files, in their order. A PDF that cannot take them stays as it is, with the suppressed error
 * `attachment-error`.
 */
export async function pdfWithFiles(
  { pdf: printing }: Pick<Host, "pdf">,
  { configuration, signal, suppress }: ExportContext,
  { pdf, oex, obx }: ExportFiles,
): Promise<{ pdf: StoredFile | undefined; embedded: string[] }> {
  const files = (configuration.embedInPDF ?? []).flatMap((kind): Entry[] => {
    const file = kind === "OEX" ? oex : obx;
    return file === undefined ? [] : [{ file, ...facts(kind, configuration) }];
  });
  if (pdf === undefined || files.length === 0) return { pdf, embedded: [] };
  try {
    const embedded = files.map(({ file }) => file.name);
    return { pdf: await printing.embed({ pdf, files }), embedded };
  } catch (error) {
    if (!(error instanceof RequestError) || signal.aborted) throw error;
    suppress({
      id: "attachment-error",
      message: `The PDF carries no files: ${error.message}`,
      cause: [error.message],
      additionalInformation: { id: error.id, code: error.code },
    });
    return { pdf, embedded: [] };
  }
}

/** The standard report shows what the document says; of other templates nobody knows. */
function facts(kind: EmbeddableFile, configuration: ExportConfiguration): Omit<Entry, "file"> {
  if (kind === "OBX") return { relationship: "Supplement", description: "OBX" };
  const isSame = configuration.reporterTemplateKey === null;
  return { relationship: isSame ? "Alternative" : "Data", description: `OEX ${configuration.documentType}` };
}
