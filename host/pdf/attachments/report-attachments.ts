import type { SuppressedError } from "@slipway/sdk";
import type { PdfConfiguration } from "../pdf-configuration.js";
import type { PrintJob } from "../pdf-service.js";
import { attachmentError, type LinkFetch, loadAttachments, type OwnFile } from "./attachment-links.js";
import { AttachmentMerger, MergeError } from "./merge-attachments.js";

/** The attachments of one report: loaded while the report is printed, joined afterwards. */
export class ReportAttachments {
  private readonly loading: ReturnType<typeof loadAttachments>;
  private merger: AttachmentMerger | undefined;
  private released = false;

  constructor(
    private readonly job: PrintJob,
    sources: { fetch: LinkFetch; ownFile: OwnFile },
    private readonly limits: PdfConfiguration["attachments"],
    private readonly signal: AbortSignal,
  ) {
    const links = [...job.prependLinks, ...job.appendLinks];
    this.loading = loadAttachments(links, sources, limits, signal, () => this.startMerger());
  }

  /** The report with its attachments; what could not be added is among the errors. */
  async addTo(report: {
    content: Uint8Array;
    pages: number;
  }): Promise<{ content: Uint8Array; pages: number; errors: SuppressedError[] }> {
    const attachments = await this.loading;
    const errors = attachments.flatMap((each) => ("error" in each ? [each.error] : []));
    const usable = attachments.flatMap((each, index) =>
      "content" in each ? [{ ...each, before: index < this.job.prependLinks.length }] : [],
    );
    if (usable.length === 0) return { ...report, errors };
    const contents = (before: boolean) =>
      usable.filter((each) => each.before === before).map((each) => each.content);
    try {
      const merged = await this.startMerger().merge(
        { report: report.content, before: contents(true), after: contents(false), pages: this.limits.pages },
        this.signal,
      );
      const refused = merged.refused.map(({ index, reason }) =>
        attachmentError(usable[index]?.link ?? "", reason),
      );
      return { content: merged.content, pages: merged.pages, errors: [...errors, ...refused] };
    } catch (error) {
      if (!(error instanceof MergeError)) throw error;
      return {
        ...report,
        errors: [...errors, ...usable.map((each) => attachmentError(each.link, error.message))],
      };
    }
  }

  /** Ends what is still running. */
  release(): void {
    this.released = true;
    this.merger?.stop();
  }

  /** The joining process starts with the first attachment that is there, while the report is still being printed. */
  private startMerger(): AttachmentMerger {
    this.merger ??= new AttachmentMerger(this.limits);
    if (this.released) this.merger.stop();
    return this.merger;
  }
}
