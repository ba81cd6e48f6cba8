/** The files of an export within its PDF, so that people and programs get one file. */
import { badRequest, type Host, RequestError, type StoredFile } from "@slipway/sdk";
import type { EmbeddableFile } from "../configuration/embeddable-files.js";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import { orderXMediaType, orderXName, orderXStatement } from "../order-x/order-x-names.js";
import type { ExportFileNames } from "./export-file-names.js";

type Entry = Parameters<Host["pdf"]["embed"]>[0]["files"][number];

/** Files of an export, as far as they were created. */
interface ExportFiles {
  pdf: StoredFile | undefined;
  oex: StoredFile | undefined;
  obx: StoredFile | undefined;
  orderX: StoredFile | undefined;
  ubl: StoredFile | undefined;
}

/** Whether the configuration embeds a file in the PDF. */
export function isEmbedded(configuration: ExportConfiguration, file: EmbeddableFile): boolean {
  return configuration.embedInPDF?.includes(file) ?? false;
}

/** The names of the files that the PDF is to carry, in the order of the configuration; an order that was not created has none. */
export function embeddedNames(
  { embedInPDF = [] }: ExportConfiguration,
  { oex, obx }: ExportFileNames,
  { orderX, ubl }: Pick<ExportFiles, "orderX" | "ubl">,
): string[] {
  const names = { OEX: oex, OBX: obx, "ORDER-X": orderX && orderXName, UBL: ubl?.name };
  return embedInPDF.flatMap((kind) => names[kind] ?? []);
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

/** The PDF, with the kinds and the names of the files within it. */
interface FilledPdf {
  pdf: StoredFile | undefined;
  embedded: EmbeddableFile[];
  names: string[];
}

/**
 * The PDF with the configured files, in their order. A PDF that cannot take them stays as it is, with the suppressed error
 * `attachment-error`; one that is not archivable takes all but the Order-X order, with `pdf-not-archivable`.
 */
export async function pdfWithFiles(
  { pdf: printing }: Pick<Host, "pdf">,
  context: ExportContext,
  { pdf, ...files }: ExportFiles,
): Promise<FilledPdf> {
  const { configuration, signal, suppress } = context;
  const given = { OEX: files.oex, OBX: files.obx, "ORDER-X": files.orderX, UBL: files.ubl };
  const kinds = (configuration.embedInPDF ?? []).filter((kind) => given[kind] !== undefined);
  const filled = async (wanted: readonly EmbeddableFile[]): Promise<FilledPdf> => {
    const hasOrderX = wanted.includes("ORDER-X");
    const entries = wanted.flatMap((kind): Entry[] => {
      const file = given[kind];
      return file === undefined ? [] : [{ file, ...facts(kind, configuration, hasOrderX) }];
    });
    if (pdf === undefined || entries.length === 0) return { pdf, embedded: [], names: [] };
    const statement = hasOrderX ? orderXStatement(configuration.orderX ?? "COMFORT") : undefined;
    return {
      pdf: await printing.embed({ pdf, files: entries, ...(statement && { statement }) }),
      embedded: [...wanted],
      names: entries.map(({ name, file }) => name ?? file.name),
    };
  };
  const withoutFiles = (error: unknown): FilledPdf => {
    if (!(error instanceof RequestError) || signal.aborted) throw error;
    suppress({
      id: "attachment-error",
      message: `The PDF carries no files: ${error.message}`,
      cause: [error.message],
      additionalInformation: { id: error.id, code: error.code },
    });
    return { pdf, embedded: [], names: [] };
  };
  return filled(kinds).catch((error: unknown) => {
    if (!(error instanceof RequestError) || error.id !== "pdf-not-archivable") return withoutFiles(error);
    suppress({
      id: "pdf-not-archivable",
      scope: "WARN",
      message: `${orderXName} is beside the PDF, not within it: ${error.message}`,
    });
    return filled(kinds.filter((kind) => kind !== "ORDER-X")).catch(withoutFiles);
  });
}

/** The standard report shows what the document says; of other templates nobody knows. */
function facts(
  kind: EmbeddableFile,
  { documentType, reporterTemplateKey, orderXRelationship, orderX = "COMFORT" }: ExportConfiguration,
  hasOrderX: boolean,
): Omit<Entry, "file"> {
  const likeness = reporterTemplateKey === null ? "Alternative" : "Data";
  if (kind === "ORDER-X")
    return {
      name: orderXName,
      mediaType: orderXMediaType,
      relationship: orderXRelationship ?? likeness,
      description: `Order-X ${orderX}`,
    };
  // Beside an Order-X order all others are further ones (Order-X 1.0, 4.1.1).
  const isFurther = kind === "OBX" || hasOrderX;
  const description = kind === "OEX" ? `OEX ${documentType}` : kind;
  return { relationship: isFurther ? "Supplement" : likeness, description };
}
