import {
  type Host,
  itemIndex,
  type OfferedService,
  type ProjectPrices,
  present,
  type Static,
  type StoredFile,
  type Suppression,
  stepsInTurns,
  Type,
} from "@slipway/sdk";
import { OexChecker, schemaSkipped } from "../checking/check-document.js";
import { schemaFiles } from "../checking/schema-files.js";
import type {
  EmbeddableFile,
  ExportConfiguration,
  ExportSettings,
} from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { OexDocument } from "../document/oex-document.js";
import { documentNumber } from "../header/numbers.js";
import { DocumentPricing } from "../pricing/document-pricing.js";
import { createContext, type ExportCall } from "../request/create-context.js";
import { projectEmpty, reportLeftOut } from "../selection/left-out.js";
import { selectItems } from "../selection/select-items.js";
import { writeOexDocument } from "../writing/write-document.js";
import { CheckedFile, invalidDocument } from "./checked-file.js";
import { createDocument, obxContent } from "./create-document.js";
import { embeddableInPdf, embeddedNames, isEmbedded, pdfWithFiles, profileOf } from "./embed-in-pdf.js";
import { type ExportFileNames, exportFileNames } from "./export-file-names.js";
import { orderFiles, type WantedOrders } from "./order-files.js";
import { orderReport } from "./order-report.js";

let checker: Promise<OexChecker> | undefined;

const ExportedFile = Type.Object({ name: Type.String(), url: Type.String() });
type ExportedFile = Static<typeof ExportedFile>;

/**
 * Result of an export (interface document, section 2.8). Absent: files that failed, and files that are switched off, unless
 * the PDF should carry them and cannot.
 */
export const ExportResult = Type.Object({
  name: Type.String({ description: "Base name of the export, without extension." }),
  url: Type.Optional(Type.String({ description: "Address of the OEX file." })),
  archive: ExportedFile,
  oex: Type.Optional(ExportedFile),
  obx: Type.Optional(ExportedFile),
  pdf: Type.Optional(ExportedFile),
  orderX: Type.Optional(ExportedFile),
  ubl: Type.Optional(ExportedFile),
  embedded: Type.Optional(
    Type.Array(Type.String(), { description: "Names of the files that the PDF carries." }),
  ),
  items: Type.Array(Type.String(), { description: "Ids of the exported items." }),
});
export type ExportResult = Static<typeof ExportResult>;

/**
 * Creates the files of an export: orders of general trade first, because the PDF names the files that it will carry, then the PDF
 * and the OBX, to which the document refers, then the document, the PDF with files within, and the archive.
 * @throws {RequestError} 422 `project-empty` if no article is left to export, and the errors of `createContext`
 */
export async function exportProject(
  host: Host,
  reports: OfferedService,
  settings: ExportSettings,
  call: ExportCall & { progress(part: number, text: string): void },
): Promise<ExportResult> {
  const { context, prices, repairs, logo } = await createContext(host, settings, call);
  const { configuration, project } = context;
  call.progress(0.1, "prices");
  const { selected, pricing } = await stepsInTurns(preparation(context, prices), context.signal);
  const number = documentNumber(context);
  const names = exportFileNames(number, context);

  const { calculationScheme, imageOptions, templateOptions } = call.body;
  const filtered = selected.length < itemIndex(project).size;
  const { validate } = settings;
  const hasOex = configuration.attachOEX || isEmbedded(configuration, "OEX");
  const orders = await orderFiles(
    host,
    { context, number, selected, pricing, validate, reportsItems: !hasOex },
    wantedOrders(configuration, names),
  );
  const { orderX, ubl } = orders;
  const isWithin = isEmbedded(configuration, "ORDER-X") && orderX !== undefined;
  const carried = isWithin ? await embeddableInPdf(host, context) : configuration;
  const embedded = embeddedNames(carried, names, orders);
  const report = {
    filename: names.pdf,
    calculationScheme,
    imageOptions,
    templateOptions,
    selected,
    filtered,
    logo,
    embedded,
  };
  call.progress(0.3, "PDF");
  const pdf = configuration.attachPDF ? await orderReport(reports, context, report) : undefined;
  const { attachOBX, attachOEX } = configuration;
  call.progress(0.6, "OBX");
  const obx =
    attachOBX || isEmbedded(configuration, "OBX")
      ? await host.files.create({
          name: names.obx,
          mediaType: "application/xml",
          content: obxContent(context),
          archived: attachOBX,
        })
      : undefined;
  call.progress(0.7, "OEX");
  const document = createDocument({
    context,
    number,
    selected,
    pricing,
    files: { pdf: pdf?.name, obx: obx?.name },
  });
  const oex = hasOex ? await writeFile(host, settings, context, names.oex, document) : undefined;
  const files = { oex, obx, ...orders };
  let filled = await pdfWithFiles(host, { ...context, configuration: carried }, { ...files, pdf });
  // Otherwise its page would name files that it does not carry.
  for (let listed = embedded; pdf !== undefined && filled.names.length < listed.length; ) {
    listed = filled.names;
    const left = { ...context, configuration: { ...configuration, embedInPDF: filled.embedded } };
    // The first report has reported what it leaves out.
    const again: Suppression[] = [];
    const printing = { ...left, suppress: (each: Suppression) => void again.push(each) };
    const printed = await orderReport(reports, printing, { ...report, embedded: listed });
    if (printed === undefined) context.suppress(namesTooMany(again));
    else filled = await pdfWithFiles(host, left, { ...files, pdf: printed });
  }
  repairs.summarize();
  context.codes.report(context.suppress);
  // A file that the PDF cannot carry is a file of the export.
  const beside = (kind: EmbeddableFile, attached: boolean, file: StoredFile | undefined) =>
    attached || !filled.embedded.includes(kind) ? file : undefined;
  const given = {
    oex: beside("OEX", attachOEX, oex),
    obx: beside("OBX", attachOBX, obx),
    pdf: filled.pdf,
    orderX: beside("ORDER-X", configuration.orderX !== undefined, orderX),
    ubl: beside("UBL", configuration.attachUBL === true, ubl),
  };
  const entries = Object.values(given).flatMap((file) => (file === undefined ? [] : [{ file }]));
  call.progress(0.9, "archive");
  const archive = await host.files.archive({ name: names.archive, files: entries });
  return {
    name: names.base,
    ...present({
      url: given.oex?.url,
      oex: exported(given.oex),
      obx: exported(given.obx),
      pdf: exported(given.pdf),
      orderX: exported(given.orderX),
      ubl: exported(given.ubl),
      embedded: filled.names.length === 0 ? undefined : filled.names,
    }),
    archive: { name: archive.name, url: archive.url },
    items: selected.map(({ item }) => item.id),
  };
}

/** Runs in steps, so that large projects do not block other requests. */
function* preparation(context: ExportContext, prices: ProjectPrices) {
  yield;
  const { items: selected, leftOut } = selectItems(context);
  if (!selected.some(({ kind }) => kind === "article")) throw projectEmpty(leftOut);
  reportLeftOut(leftOut, context.suppress);
  yield;
  const pricing = yield* DocumentPricing.steps({ ...context, prices }, selected);
  return { selected, pricing };
}

async function writeFile(
  host: Host,
  settings: ExportSettings,
  { configuration, suppress }: ExportContext,
  name: string,
  document: OexDocument,
): Promise<StoredFile> {
  const pieces = writeOexDocument(document);
  const target = { name, mediaType: "application/xml", archived: configuration.attachOEX };
  if (!settings.validate) return host.files.create({ ...target, content: pieces });
  checker ??= OexChecker.create(schemaFiles);
  const ready = await checker;
  const check = new CheckedFile((copy) => ready.check(copy, { schemaLimit: settings.validateLimit }));
  const file = await host.files.create({ ...target, content: check.of(pieces) });
  const problems = await check.problems();
  const wrong = problems.filter(({ rule }) => rule !== schemaSkipped);
  for (const { rule, message } of problems)
    if (rule === schemaSkipped) suppress({ id: "oex-document-unchecked", scope: "WARN", message });
  if (wrong.length > 0) suppress(invalidDocument("The document", wrong));
  return file;
}

/** The orders that are files of the export, or that its PDF carries. */
function wantedOrders(configuration: ExportConfiguration, names: ExportFileNames): WantedOrders {
  const { orderX, attachUBL } = configuration;
  const hasOrderX = orderX !== undefined || isEmbedded(configuration, "ORDER-X");
  const hasUbl = attachUBL === true || isEmbedded(configuration, "UBL");
  return {
    orderX: hasOrderX ? { name: names.orderX, profile: profileOf(configuration) } : undefined,
    ubl: hasUbl ? { name: names.ubl } : undefined,
  };
}

function exported(file: StoredFile | undefined): ExportedFile | undefined {
  return file && { name: file.name, url: file.url };
}

/** `problems`: of the second report; the last one ended it. */
function namesTooMany(problems: readonly Suppression[]): Suppression {
  return {
    id: "attachment-error",
    message: "The PDF lists files that are not inside it, because it could not be printed again.",
    cause: problems.slice(-1).map(({ message }) => message),
  };
}
