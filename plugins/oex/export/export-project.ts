import { once } from "node:events";
import { PassThrough } from "node:stream";
import {
  type Host,
  itemIndex,
  type OfferedService,
  type ProjectPrices,
  present,
  type RepeatedText,
  RequestError,
  type Static,
  type StoredFile,
  type Suppression,
  stepsInTurns,
  Type,
} from "@slipway/sdk";
import { type DocumentProblem, OexChecker, schemaSkipped } from "../checking/check-document.js";
import { schemaFiles } from "../checking/schema-files.js";
import type { ExportSettings } from "../configuration/plugin-settings.js";
import type { ExportContext } from "../context/export-context.js";
import type { OexDocument } from "../document/oex-document.js";
import { documentNumber } from "../header/numbers.js";
import { DocumentPricing } from "../pricing/document-pricing.js";
import { selectItems } from "../selection/select-items.js";
import { writeOexDocument } from "../writing/write-document.js";
import { createContext, type ExportCall } from "./create-context.js";
import { createDocument } from "./create-document.js";
import { embeddedNames, isEmbedded, pdfWithFiles } from "./embed-in-pdf.js";
import { exportFileNames } from "./export-file-names.js";
import { obxContent } from "./obx-content.js";
import { orderReport } from "./order-report.js";

const shownProblems = 20;

let checker: Promise<OexChecker> | undefined;

const ExportedFile = Type.Object({ name: Type.String(), url: Type.String() });
type ExportedFile = Static<typeof ExportedFile>;

/** Result of an export (interface document, section 2.8); files that are switched off or failed are absent. */
export const ExportResult = Type.Object({
  name: Type.String({ description: "Base name of the export, without extension." }),
  url: Type.Optional(Type.String({ description: "Address of the OEX file." })),
  archive: ExportedFile,
  oex: Type.Optional(ExportedFile),
  obx: Type.Optional(ExportedFile),
  pdf: Type.Optional(ExportedFile),
  embedded: Type.Optional(
    Type.Array(Type.String(), { description: "Names of the files that the PDF carries." }),
  ),
  items: Type.Array(Type.String(), { description: "Ids of the exported items." }),
});
export type ExportResult = Static<typeof ExportResult>;

/**
 * Creates the files of an export: the PDF and the OBX first, because the document refers to them, then the document,
 * then the archive. The PDF with files within comes after them.
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
  const embedded = embeddedNames(configuration, names);
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
  const oex =
    attachOEX || isEmbedded(configuration, "OEX")
      ? await writeFile(host, settings, context, names.oex, document)
      : undefined;
  const filled = await pdfWithFiles(host, context, { pdf, oex, obx });
  if (filled.pdf !== undefined && filled.embedded.length < embedded.length) {
    // Otherwise its page would name files that it does not carry. What it leaves out is told already.
    const untold = { ...context, suppress: () => undefined };
    filled.pdf = (await orderReport(reports, untold, { ...report, embedded: [] })) ?? filled.pdf;
  }
  repairs.summarize();
  context.codes.report(context.suppress);
  const given = {
    oex: attachOEX ? oex : undefined,
    obx: attachOBX ? obx : undefined,
    pdf: filled.pdf,
  };
  const files = [given.oex, given.obx, given.pdf].filter((file) => file !== undefined);
  call.progress(0.9, "archive");
  const archive = await host.files.archive({ name: names.archive, files: files.map((file) => ({ file })) });
  return {
    name: names.base,
    ...present({
      url: given.oex?.url,
      oex: exported(given.oex),
      obx: exported(given.obx),
      pdf: exported(given.pdf),
      embedded: filled.embedded.length === 0 ? undefined : filled.embedded,
    }),
    archive: { name: archive.name, url: archive.url },
    items: selected.map(({ item }) => item.id),
  };
}

/** Runs in steps, so that large projects do not block other requests. */
function* preparation(context: ExportContext, prices: ProjectPrices) {
  yield;
  const { items: selected } = selectItems(context);
  if (!selected.some(({ kind }) => kind === "article")) throw projectEmpty();
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
  const check = new DocumentCheck(settings.validateLimit);
  const file = await host.files.create({ ...target, content: check.of(pieces) });
  for (const finding of await check.findings()) suppress(finding);
  return file;
}

function exported(file: StoredFile | undefined): ExportedFile | undefined {
  return file && { name: file.name, url: file.url };
}

function projectEmpty(): RequestError {
  return new RequestError({
    id: "project-empty",
    code: 422,
    message: "No article of the project is left to export with this configuration.",
  });
}

/** Checks a document while it is written, without reading it again. */
class DocumentCheck {
  private readonly copy = new PassThrough();
  private readonly checking: Promise<DocumentProblem[]>;

  /** `schemaLimit` in bytes; larger documents are checked against the rules only. */
  constructor(schemaLimit: number) {
    checker ??= OexChecker.create(schemaFiles);
    this.checking = checker.then((ready) => ready.check(this.copy, { schemaLimit }));
    this.checking.catch(() => undefined);
  }

  /** Passes the document through. */
  async *of(pieces: AsyncIterable<string | RepeatedText>): AsyncGenerator<string | RepeatedText> {
    try {
      for await (const piece of pieces) {
        yield piece;
        // The checker may stop reading early.
        if (!this.copy.destroyed && !this.copy.write(String(piece)))
          await Promise.race([once(this.copy, "drain"), once(this.copy, "close")]);
      }
    } finally {
      this.copy.end();
    }
  }

  /** The findings: `oex-document-invalid`, and `oex-document-unchecked` if the document was too large. */
  async findings(): Promise<Suppression[]> {
    const problems = await this.checking;
    const skipped = problems.filter(({ rule }) => rule === schemaSkipped);
    const wrong = problems.filter(({ rule }) => rule !== schemaSkipped);
    const findings: Suppression[] = skipped.map(({ message }) => ({
      id: "oex-document-unchecked",
      scope: "WARN",
      message,
    }));
    if (wrong.length > 0) findings.push(invalid(wrong));
    return findings;
  }
}

function invalid(problems: DocumentProblem[]): Suppression {
  const cause = problems
    .slice(0, shownProblems)
    .map(
      ({ item, line, rule, message }) =>
        `${item === undefined ? "" : `item ${item}, `}line ${line}, ${rule}: ${message}`,
    );
  const more = problems.length > cause.length ? `, the first ${cause.length} under "cause"` : "";
  return {
    id: "oex-document-invalid",
    message: `The document breaks the rules of its format in ${problems.length} places${more}.`,
    cause,
  };
}
