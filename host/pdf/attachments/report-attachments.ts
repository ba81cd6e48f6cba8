import { join } from "node:path";
import { RequestError, type SuppressedError } from "@slipway/sdk";
import type { PrintJob } from "@slipway/sdk/runtime/host";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import type { MeasuredPass } from "../../observability/measures.js";
import { AnsweringProcess, ProcessLost } from "../../system/answering-process.js";
import { builtFolder } from "../../system/installation.js";
import { FinishError, type FinishedPdf, type FinishOrder, finishReply } from "../finish/finish-messages.js";
import { missingClaim } from "../finish/missing-claim.js";
import {
  type Attachment,
  attachmentError,
  type LinkFetch,
  loadAttachments,
  type OwnFile,
} from "./attachment-links.js";

/** A report with its attachments, or without those that could not be added. */
export interface JoinedReport {
  content: Uint8Array;
  pages: number;
  /** Attachments left out. */
  errors: SuppressedError[];
  /** Whether it went through the finisher; if not, it is as it was printed. */
  finished: boolean;
}

/** The attachments of one report: loaded while the report is printed, joined afterwards. */
export class ReportAttachments {
  private readonly loading: ReturnType<typeof loadAttachments>;
  private process: AnsweringProcess<ReturnType<typeof finishReply>> | undefined;
  private released = false;

  constructor(
    private readonly job: PrintJob,
    sources: { fetch: LinkFetch; ownFile: OwnFile },
    private readonly configuration: Pick<PdfConfiguration, "attachments" | "documentPages" | "outputBytes">,
    private readonly signal: AbortSignal,
  ) {
    const links = [...job.prependLinks, ...job.appendLinks];
    this.loading = loadAttachments(links, sources, configuration.attachments, job, signal, () =>
      // While the report is still being printed.
      this.startProcess(),
    );
  }

  /** The report with its attachments; what could not be added is among the errors. */
  async addTo(report: { content: Uint8Array; pages: number }, measured: MeasuredPass): Promise<JoinedReport> {
    const attachments = this.fitting(report.content.length, await this.loading);
    const errors = attachments.flatMap((each) => ("error" in each ? [each.error] : []));
    const usable = attachments.flatMap((each, index) =>
      "content" in each ? [{ ...each, before: index < this.job.prependLinks.length }] : [],
    );
    if (usable.length === 0) return { ...report, errors, finished: false };
    const contents = (before: boolean) =>
      usable.filter((each) => each.before === before).map((each) => each.content);
    const { tagged } = this.job;
    const { documentPages, attachments: limits } = this.configuration;
    try {
      const pass = this.finish({
        report: report.content,
        before: contents(true),
        after: contents(false),
        pages: Math.min(limits.pages, documentPages - report.pages),
        tagged,
      });
      const { content, pages, refused, claim } = await measured(pass);
      for (const { index, reason, cause } of refused) {
        errors.push(attachmentError(usable[index]?.link ?? "", reason));
        this.job.work.log.info("An attachment was left out.", { reason, cause });
      }
      errors.push(...missingClaim(claim, this.job.work.log));
      return { content, pages, errors, finished: true };
    } catch (error) {
      if (!(error instanceof FinishError)) throw error;
      this.job.work.log.warn("Attachments could not be joined.", { error });
      const reason = "the attachments could not be joined within the limits";
      errors.push(...usable.map((each) => attachmentError(each.link, reason)));
      return { ...report, errors, finished: false };
    }
  }

  /** With errors in place of those with which the PDF would be too large. */
  private fitting(reportBytes: number, attachments: Attachment[]): Attachment[] {
    const { outputBytes } = this.configuration;
    let room = outputBytes - reportBytes;
    return attachments.map((each) => {
      if ("error" in each) return each;
      if (each.content.length <= room) {
        room -= each.content.length;
        return each;
      }
      const reason = `with its ${each.content.length} bytes the PDF would have more than ${outputBytes} (pdf.outputBytes)`;
      return { link: each.link, error: attachmentError(each.link, reason) };
    });
  }

  /** Ends what is still running. */
  release(): void {
    this.released = true;
    this.process?.end("stopped");
  }

  /** Throws `FinishError` when the time, the memory or the process ends first, or the signal's reason. */
  private async finish(order: FinishOrder): Promise<FinishedPdf> {
    const { signal } = this;
    const { timeout, memory } = this.configuration.attachments;
    const process = this.startProcess();
    try {
      const reply = await process.ask([{ question: order }], { timeout, resident: memory * 1.5, signal });
      if ("failure" in reply) throw new FinishError(reply.failure);
      return reply;
    } catch (error) {
      if (signal.aborted && signal.reason instanceof RequestError) throw signal.reason;
      if (!(error instanceof ProcessLost)) throw error;
      throw new FinishError("the process ended, or was ended for its time or memory", { cause: error });
    } finally {
      process.end("stopped");
    }
  }

  /** The process that finishes this report alone; another one if it is lost already. */
  private startProcess(): AnsweringProcess<ReturnType<typeof finishReply>> {
    if (this.process === undefined || this.process.isLost)
      this.process = new AnsweringProcess({
        program: join(builtFolder, "pdf", "finish", "finish-in-process.js"),
        heap: this.configuration.attachments.memory,
        answer: finishReply,
      });
    if (this.released) this.process.end("stopped");
    return this.process;
  }
}
