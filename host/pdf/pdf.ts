/**
 * PDFs: the door of this folder. (The door of fonts is `fonts/fonts.ts`.)
 *
 * In: the HTML of a document with its pictures, links of PDFs to put before and after it, files to embed.
 * Out: the PDF with warnings; for files to embed, the plan of an update; the health of the service.
 * Owns: the browser and its pages, the proxy that is the browser's only way out, the threads and processes that finish
 * PDFs, `var/pdf`, and the unpacked browser.
 *
 * `print` prints, `finish` repairs, joins and packs what was printed, `fonts` knows which characters have a glyph.
 */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Log, RequestError, type SuppressedError, shortened, suppressedError } from "@slipway/sdk";
import type { EmbedJob, PrintedPdf, Printing, PrintJob, Work } from "@slipway/sdk/runtime/host";
import type { PdfUpdate } from "@slipway/sdk/runtime/pdf";
import type { PdfConfiguration } from "../configuration/pdf-configuration.js";
import type { MeasuredPass, PdfMeasures } from "../observability/measures.js";
import type { Pictures } from "../pictures/pictures.js";
import type { Confinement } from "../system/confinement/confinement.js";
import { FairQueue } from "../system/fair-queue.js";
import { settlesWithin } from "../system/time.js";
import { FinishError, missingClaims } from "./finish/finish-messages.js";
import { FinishingThreads } from "./finish/finishing-threads.js";
import { addedFontsFolder, CurrentFonts } from "./fonts/fonts.js";
import { type BrowserHealth, BrowserSupervisor } from "./print/browser-supervisor.js";
import { documentLanguage, mayHaveLinks, refuseRefresh } from "./print/document-html.js";
import { DocumentOrigins } from "./print/document-origins.js";
import { DocumentPrinter, type PrintedDocument, pageCount } from "./print/document-printer.js";
import { EgressProxy } from "./print/egress-proxy.js";
import { JobLimit } from "./print/job-limit.js";
import { documentFailed, documentTooLarge, unavailable } from "./print/print-errors.js";
import { type JoinedReport, type LinkFetch, type OwnFile, ReportAttachments } from "./report-attachments.js";

const shownCharacters = 40;
/** Of the missing files in a message, in characters; more of them are in `additionalInformation`. */
const longestList = 150;

export interface PdfServiceOptions {
  configuration: PdfConfiguration;
  /** Profiles, the font configuration and, where the user has no cache folder, the unpacked browser go below it. */
  varDirectory: string;
  log: Log;
  /** Converts the pictures of documents. */
  pictures: Pictures;
  /** For the links of attachments. */
  fetch: LinkFetch;
  /** Artifacts of this host, so that a link to one needs no request to ourselves. */
  ownFile?: OwnFile;
  /** Receives durations and counts. */
  measures?: PdfMeasures;
  /** Of the processes that read attached PDFs. */
  confinement?: Confinement;
}

export interface PdfHealth extends BrowserHealth {
  queued: number;
  running: number;
}

/** Prints HTML with Chromium. */
export interface PdfService extends Printing {
  start(): Promise<void>;
  /** Call it before a document with pictures: starts threads that take long to start. */
  startAhead(): void;
  health(): PdfHealth;
  stop(): Promise<void>;
}

/** The service that prints HTML. One per host. */
export function createPdfService(options: PdfServiceOptions): PdfService {
  return new BrowserPdfService(options);
}

class BrowserPdfService implements PdfService {
  private readonly queue: FairQueue;
  private readonly proxy: EgressProxy;
  private readonly supervisor: BrowserSupervisor;
  private readonly printer: DocumentPrinter;
  private readonly finishing: FinishingThreads;
  private readonly running = new Set<Promise<unknown>>();
  private readonly attaching = new Set<ReportAttachments>();
  private readonly fonts: CurrentFonts;
  private renewing: Promise<void> | undefined;
  private stopping = false;

  constructor(private readonly options: PdfServiceOptions) {
    const { configuration, varDirectory, log } = options;
    const pages = configuration.pages ?? availableParallelism();
    const origins = new DocumentOrigins(options.pictures);
    const queueLimits = {
      running: pages,
      waiting: configuration.queueLength,
      bytes: configuration.queueBytes,
      share: configuration.clientShare,
    };
    this.queue = new FairQueue(
      () => queueLimits,
      (whose) => `Too many reports${whose} are waiting for the printer. Try again.`,
    );
    this.proxy = new EgressProxy(origins, log);
    const fonts = { added: addedFontsFolder(varDirectory), configured: configuration.fontFolders };
    this.fonts = new CurrentFonts(fonts);
    this.supervisor = new BrowserSupervisor({
      configuration,
      folder: join(varDirectory, "pdf"),
      fonts,
      varDirectory,
      origins,
      slots: this.queue.slots,
      log,
    });
    this.finishing = new FinishingThreads(configuration.attachments);
    this.printer = new DocumentPrinter(this.supervisor, origins, configuration);
  }

  async start(): Promise<void> {
    const port = await this.proxy.start();
    await this.fonts.load();
    await this.supervisor.start(port);
  }

  async print(job: PrintJob): Promise<PrintedPdf> {
    if (this.stopping) throw unavailable("the host is stopping");
    const printing = this.process(job);
    this.running.add(printing);
    const begun = performance.now();
    const told = (outcome: string, pages: number): void =>
      this.options.measures?.printed({ outcome, pages, seconds: secondsSince(begun) });
    try {
      const printed = await printing;
      told("done", printed.pages);
      return printed;
    } catch (error) {
      told(error instanceof RequestError ? error.id : "internal-error", 0);
      throw error;
    } finally {
      this.running.delete(printing);
    }
  }

  async planUpdate({ pdf, files, statement, bytes }: EmbedJob): Promise<PdfUpdate> {
    const { outputBytes } = this.options.configuration;
    if (bytes > outputBytes) throw documentTooLarge("outputBytes", bytes, outputBytes);
    return this.finishing.planUpdate({ pdf, files, statement });
  }

  startAhead(): void {
    this.finishing.startAhead();
  }

  health(): PdfHealth {
    return { ...this.supervisor.health, queued: this.queue.waiting, running: this.queue.running };
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await settlesWithin(Promise.allSettled(this.running), this.options.configuration.stopTimeout);
    this.finishing.stop();
    for (const attachments of this.attaching) attachments.release();
    try {
      await this.supervisor.stop();
    } finally {
      await this.proxy.stop();
    }
  }

  private async process(job: PrintJob): Promise<PrintedPdf> {
    const { documentBytes, documentPages } = this.options.configuration;
    const bytes = Buffer.byteLength(job.html);
    if (bytes > documentBytes) throw documentTooLarge("documentBytes", bytes, documentBytes);
    const refusal = this.supervisor.refusal;
    if (refusal !== undefined) throw refusal;
    refuseRefresh(job.html);
    const limit = new JobLimit(job);
    let attachments: ReportAttachments | undefined;
    try {
      const { work } = job;
      const { client, session } = job;
      const large = this.isLarge(job);
      const queued = { client, session, bytes, large, signal: limit.signal };
      const leave = await work.step("wait for a page", () => this.queue.enter(queued));
      let printed: PrintedDocument;
      try {
        await limit.race(this.renewFonts(), "looking for fonts");
        attachments = this.attachmentsOf(job, limit.signal);
        if (hasToBeFinished(job)) this.finishing.startAhead();
        printed = await work.step("print", () => this.printer.print(job, limit));
      } finally {
        leave();
      }
      const report = { content: printed.content, pages: pageCount(printed.content) };
      if (report.pages > documentPages) throw documentTooLarge("documentPages", report.pages, documentPages);
      const joined = attachments
        ? await limit.race(this.joined(attachments, report, work), "joining the attachments")
        : { ...report, errors: [], finished: false };
      const finished =
        hasToBeFinished(job) && !joined.finished
          ? await limit.race(this.finishedAlone(joined, job), "finishing the document")
          : joined;
      return { ...finished, errors: [...this.warnings(printed, job), ...finished.errors] };
    } catch (error) {
      throw error instanceof RequestError
        ? error
        : documentFailed("The document could not be printed.", error);
    } finally {
      if (attachments !== undefined) this.attaching.delete(attachments);
      attachments?.release();
      limit.release();
    }
  }

  private attachmentsOf(job: PrintJob, signal: AbortSignal): ReportAttachments | undefined {
    if (job.prependLinks.length + job.appendLinks.length === 0) return undefined;
    const { fetch, configuration, confinement } = this.options;
    const ownFile: OwnFile = async (link) =>
      (await job.attachment?.(link)) ?? (await this.options.ownFile?.(link));
    const attachments = new ReportAttachments(job, { fetch, ownFile }, configuration, signal, confinement);
    this.attaching.add(attachments);
    return attachments;
  }

  private joined(
    attachments: ReportAttachments,
    report: { content: Uint8Array; pages: number },
    work: Work,
  ): Promise<JoinedReport> {
    return work.step("join the attachments", () => attachments.addTo(report, this.measured));
  }

  /** A report by itself. One that cannot be finished is as good as the browser printed it. */
  private async finishedAlone(
    { content, pages, errors }: JoinedReport,
    { tagged, archivable, work }: PrintJob,
  ): Promise<Omit<JoinedReport, "finished">> {
    try {
      const archive = archivable ? this.options.configuration.archive.level : undefined;
      const order = { report: content, before: [], after: [], pages: 0, tagged, archive };
      const finished = await work.step("finish", () => this.measured(this.finishing.finish(order)));
      const unclaimed = missingClaims(finished, work.log);
      return { content: finished.content, pages: finished.pages, errors: [...errors, ...unclaimed] };
    } catch (error) {
      if (!(error instanceof FinishError)) throw error;
      work.log.warn("A report could not be finished.", { error });
      const unfinished = suppressedError({
        id: "document-not-finished",
        message:
          "The PDF is as the browser printed it: larger, and not fully accessible. The log of the host says why.",
        scope: "WARN",
      });
      return { content, pages, errors: [...errors, unfinished] };
    }
  }

  private readonly measured: MeasuredPass = async (pass) => {
    const begun = performance.now();
    const told = (outcome: string): void =>
      this.options.measures?.finished({ outcome, seconds: secondsSince(begun) });
    try {
      const result = await pass;
      told("done");
      return result;
    } catch (error) {
      told("failed");
      throw error;
    }
  };

  private isLarge(job: PrintJob): boolean {
    return job.html.length >= this.options.configuration.largeDocument;
  }

  /** What was added since the last document can be used from this one on. */
  private async renewFonts(): Promise<void> {
    if (this.renewing === undefined && !(await this.fonts.haveChanged())) return;
    this.renewing ??= this.readFontsAnew().finally(() => {
      this.renewing = undefined;
    });
    await this.renewing;
  }

  private async readFontsAnew(): Promise<void> {
    try {
      await this.fonts.load();
    } catch (error) {
      this.options.log.warn("The fonts could not be read again.", { error });
      return;
    }
    this.options.log.info("The fonts have changed; the browser is replaced.", {});
    await this.supervisor.renew();
  }

  private warnings(printed: PrintedDocument, { html, work: { log } }: PrintJob): SuppressedError[] {
    const warnings: SuppressedError[] = printed.refused.slice(0, shownCharacters).map(pictureRefused);
    if (printed.refused.length > 0) log.warn("Pictures were left out.", { pictures: printed.refused });
    if (printed.missing.length > 0) {
      const paths = printed.missing.slice(0, shownCharacters);
      warnings.push(
        suppressedError({
          id: "document-resource-missing",
          message: `The template refers to ${printed.missing.length === 1 ? "a missing file" : `${printed.missing.length} missing files`}: ${shortened(paths.join(", "), longestList)}.`,
          scope: "WARN",
          additionalInformation: { paths },
        }),
      );
    }
    warnings.push(...this.fonts.missingGlyphs(html, documentLanguage(html)));
    return warnings;
  }
}

function pictureRefused({ path, reason }: PrintedDocument["refused"][number]): SuppressedError {
  return suppressedError({
    id: "document-picture-refused",
    message: `The picture ${path} was left out: ${reason}.`,
    additionalInformation: { path, reason },
  });
}

function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000;
}

/** Tags need repairs and packing, links a check of their targets, archivable reports metadata. */
function hasToBeFinished({ tagged, archivable, html }: PrintJob): boolean {
  return tagged || archivable || mayHaveLinks(html);
}
