/** The files of an export within its PDF, so that people and programs get one file. */
import { type Host, RequestError, type StoredFile, type Suppression } from "@slipway/sdk";
import type {
  EmbeddableFile,
  ExportConfiguration,
  OrderXProfile,
} from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import { orderXMediaType, orderXName, orderXStatement } from "../order-x/order-x-names.js";
import type { ExportFileNames } from "./export-file-names.js";
import { templateKey } from "./order-report.js";

type Entry = Parameters<Host["pdf"]["embed"]>[0]["files"][number];

/** The created files of an export. */
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

/** The profile of the only Order-X order, beside the PDF or inside it. */
export function profileOf({ orderX, orderXProfile }: ExportConfiguration): OrderXProfile {
  return orderX ?? orderXProfile ?? "COMFORT";
}

/**
 * The configuration, without an Order-X order in the PDF if the template makes no archivable one: its page must not list that
 * file. Reported as `pdf-not-archivable`. An unknown template fails later, when it prints.
 */
export async function embeddableInPdf(
  { templates }: Pick<Host, "templates">,
  { configuration, locale, suppress }: ExportContext,
): Promise<ExportConfiguration> {
  const { embedInPDF = [] } = configuration;
  const template = await templates.find({ key: templateKey(configuration), locale });
  if (template === undefined || template.archivable) return configuration;
  suppress(besidePdf(`The template ${JSON.stringify(template.record.key)} makes no archivable PDF.`));
  return { ...configuration, embedInPDF: embedInPDF.filter((kind) => kind !== "ORDER-X") };
}

function besidePdf(reason: string): Suppression {
  return {
    id: "pdf-not-archivable",
    scope: "WARN",
    message: `${orderXName} is a file beside the PDF and not inside it: ${reason}`,
  };
}

/** The names of the files that the PDF will carry, in the order of the configuration; an order that was not created has none. */
export function embeddedNames(
  { embedInPDF = [] }: ExportConfiguration,
  { oex, obx }: ExportFileNames,
  { orderX, ubl }: Pick<ExportFiles, "orderX" | "ubl">,
): string[] {
  const names = { OEX: oex, OBX: obx, "ORDER-X": orderX && orderXName, UBL: ubl?.name };
  return embedInPDF.flatMap((kind) => names[kind] ?? []);
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
    const statement = hasOrderX ? orderXStatement(profileOf(configuration)) : undefined;
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
      message: `The PDF has no files inside: ${error.message}`,
      cause: [error.message],
      additionalInformation: { id: error.id, code: error.code },
    });
    return { pdf, embedded: [], names: [] };
  };
  return filled(kinds).catch((error: unknown) => {
    if (!(error instanceof RequestError) || error.id !== "pdf-not-archivable") return withoutFiles(error);
    suppress(besidePdf(error.message));
    return filled(kinds.filter((kind) => kind !== "ORDER-X")).catch(withoutFiles);
  });
}

/** The standard report shows the content of the document; other templates may show something else. */
function facts(
  kind: EmbeddableFile,
  configuration: ExportConfiguration,
  hasOrderX: boolean,
): Omit<Entry, "file"> {
  const { documentType, reporterTemplateKey, orderXRelationship } = configuration;
  const likeness = reporterTemplateKey === null ? "Alternative" : "Data";
  if (kind === "ORDER-X")
    return {
      name: orderXName,
      mediaType: orderXMediaType,
      relationship: orderXRelationship ?? likeness,
      description: `Order-X ${profileOf(configuration)}`,
    };
  // Beside an Order-X order all others are further ones (Order-X 1.0, 4.1.1).
  const isFurther = kind === "OBX" || hasOrderX;
  const description = kind === "OEX" ? `OEX ${documentType}` : kind;
  return { relationship: isFurther ? "Supplement" : likeness, description };
}
