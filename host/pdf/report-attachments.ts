/**
 * The PDFs that come before and after a report: loads them, and joins them with it. One that cannot be loaded is an
 * error of the result, not of the job.
 */
import { join } from "node:path";
import { RequestError, type SuppressedError, shownValue, suppressedError } from "@slipway/sdk";
import { type PrintJob, timeLimit, type Work } from "@slipway/sdk/runtime/host";
import type { PdfConfiguration } from "../configuration/pdf-configuration.js";
import type { MeasuredPass } from "../observability/measures.js";
import { AnsweringProcess, ProcessLost } from "../system/answering-process.js";
import { mapConcurrent } from "../system/concurrency.js";
import type { Confinement } from "../system/confinement/confinement.js";
import { builtFolder } from "../system/installation.js";
import type { AttachmentDamage } from "./finish/attachment-damage.js";
import {
  FinishError,
  type FinishedPdf,
  type FinishOrder,
  finishReply,
  missingClaims,
} from "./finish/finish-messages.js";

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
    private readonly configuration: Pick<
      PdfConfiguration,
      "archive" | "attachments" | "documentPages" | "outputBytes"
    >,
    private readonly signal: AbortSignal,
    private readonly confinement: Confinement | undefined,
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
    const { tagged, archivable } = this.job;
    const { archive, documentPages, attachments: limits } = this.configuration;
    try {
      const pass = this.finish({
        report: report.content,
        before: contents(true),
        after: contents(false),
        pages: Math.min(limits.pages, documentPages - report.pages),
        tagged,
        archive: archivable ? archive.level : undefined,
      });
      const finished = await measured(pass);
      const { content, pages, refused, damaged, withXfa } = finished;
      for (const { index, reason, cause } of refused) {
        errors.push(attachmentError(usable[index]?.link ?? "", reason));
        this.job.work.log.info("An attachment was left out.", { reason, cause });
      }
      for (const { index, ...damage } of damaged) errors.push(damageError(usable[index]?.link ?? "", damage));
      for (const index of withXfa) errors.push(xfaError(usable[index]?.link ?? ""));
      errors.push(...missingClaims(finished, this.job.work.log));
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
        confinement: this.confinement,
        heap: this.configuration.attachments.memory,
        answer: finishReply,
      });
    if (this.released) this.process.end("stopped");
    return this.process;
  }
}

/** Fetches a URL within the policy of the host (see host/fetch). */
export type LinkFetch = (
  url: string,
  options: { signal: AbortSignal; maxBytes?: number; work: Work },
) => Promise<{ status: number; mediaType: string; content: Uint8Array }>;

/** The content of an artifact of this host; undefined for any other URL. */
export type OwnFile = (url: string) => Promise<Uint8Array | undefined>;

/** A loaded attachment, or why it could not be loaded. */
type Attachment = { link: string; content: Uint8Array } | { link: string; error: SuppressedError };

const atOnce = 4;

/**
 * All links in their order. Calls `onLoaded` for each loaded attachment. Ends early, with errors for the rest, when the
 * signal aborts.
 */
async function loadAttachments(
  links: string[],
  sources: { fetch: LinkFetch; ownFile: OwnFile },
  limits: PdfConfiguration["attachments"],
  { work }: { work: Work },
  signal: AbortSignal,
  onLoaded: () => void,
): Promise<Attachment[]> {
  return mapConcurrent([...links.entries()], atOnce, async ([index, link]) => {
    const attachment =
      index < limits.links
        ? await load(link, sources, limits, signal, work)
        : { link, error: attachmentError(link, `only ${limits.links} attachments are allowed`) };
    if ("content" in attachment) onLoaded();
    return attachment;
  });
}

/** The suppressed error of an attachment that was left out. */
function attachmentError(link: string, reason: string): SuppressedError {
  const shown = shortLink(link);
  return suppressedError({
    id: "attachment-error",
    message: `The attachment ${shown} was left out: ${reason}.`,
    additionalInformation: { link: shown },
  });
}

/** The suppressed error of an attachment that lacks something. */
function damageError(link: string, { pages, lost }: AttachmentDamage): SuppressedError {
  const shown = shortLink(link);
  const where =
    pages.length === 0 ? "" : ` on its ${pages.length === 1 ? "page" : "pages"} ${listed(pages.map(String))}`;
  return suppressedError({
    id: "attachment-damaged",
    message: `The attachment ${shown} is damaged: ${listed(lost)} are missing or broken${where}. Open it and save it again, or replace it.`,
    additionalInformation: { link: shown, pages, lost },
  });
}

/** The suppressed error of an attachment whose form of XML is not in the report. */
function xfaError(link: string): SuppressedError {
  const shown = shortLink(link);
  return suppressedError({
    id: "attachment-xfa",
    message: `The attachment ${shown} has an XFA form, which a report cannot contain: its pages show what viewers without XFA show. Print the form to a PDF, and attach that.`,
    additionalInformation: { link: shown },
  });
}

const mostListed = 10;

/** "a, b and c"; of many the first ones. */
function listed(words: readonly string[]): string {
  const shown = words.length > mostListed ? [...words.slice(0, mostListed), "others"] : words;
  return [shown.slice(0, -1).join(", "), ...shown.slice(-1)].filter((each) => each !== "").join(" and ");
}

async function load(
  link: string,
  sources: { fetch: LinkFetch; ownFile: OwnFile },
  limits: PdfConfiguration["attachments"],
  signal: AbortSignal,
  work: Work,
): Promise<Attachment> {
  try {
    const content =
      (await sources.ownFile(link)) ?? (await fetched(link, sources.fetch, limits, signal, work));
    if (content.length > limits.bytes) throw new Refusal(`it has more than ${limits.bytes} bytes`);
    const head = Buffer.from(content.subarray(0, 1024)).toString("latin1");
    if (!head.includes("%PDF-")) throw new Refusal("it is not a PDF");
    return { link, content };
  } catch (error) {
    return { link, error: attachmentError(link, reasonOf(error)) };
  }
}

async function fetched(
  link: string,
  fetch: LinkFetch,
  limits: PdfConfiguration["attachments"],
  signal: AbortSignal,
  work: Work,
): Promise<Uint8Array> {
  const limited = AbortSignal.any([signal, timeLimit(limits.timeout)]);
  const { status, content } = await fetch(link, { signal: limited, maxBytes: limits.bytes, work });
  if (status !== 200) throw new Refusal(`its server answered ${status}`);
  return content;
}

/** A reason that is fit for a client. */
class Refusal extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof RequestError) return lowered(error.message.replace(/\.$/, ""));
  if (error instanceof Error && error.name === "TimeoutError") return "its server did not answer in time";
  return "it could not be loaded";
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Without credentials and query, in which secrets may be. */
function shortLink(link: string): string {
  if (!URL.canParse(link)) return shownValue(link);
  const url = new URL(link);
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 300);
}
