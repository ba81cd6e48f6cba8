import { setTimeout as pause } from "node:timers/promises";
import type { PrintJob } from "@slipway/sdk/runtime/host";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { eastAsianScript } from "../fonts/fonts.js";
import type { BrowserSupervisor, LentPage } from "./browser-supervisor.js";
import {
  documentLanguage,
  hideOnScreen,
  leavesTraces,
  mayHaveFonts,
  mayHaveLongTitle,
} from "./document-html.js";
import type { DocumentOrigins, RunningDocument } from "./document-origins.js";
import type { JobLimit } from "./job-limit.js";
import { BrowserLostError, documentTooLarge, unavailable } from "./print-errors.js";

/** How long an aborted print may take to end by itself before its page is closed. */
const graceOfAborted = 250;
const attempts = 2;

/** Rough sizes, to choose how a PDF travels: bytes of PDF per character of HTML. */
const bytesPerCharacter = { tagged: 12, untagged: 3 };

export interface PrintedDocument {
  content: Buffer;
  /** Paths of resources that the document requested and did not get. */
  missing: string[];
  /** Pictures that were left out. */
  refused: { path: string; reason: string }[];
}

/** Prints a document on a warm page, and once more on another one when the browser dies under it. */
export class DocumentPrinter {
  constructor(
    private readonly supervisor: BrowserSupervisor,
    private readonly origins: DocumentOrigins,
    private readonly configuration: PdfConfiguration,
  ) {}

  async print(job: PrintJob, limit: JobLimit): Promise<PrintedDocument> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(job, limit, attempt > 1);
      } catch (error) {
        if (!(error instanceof BrowserLostError)) throw error;
        job.work.log.warn("the browser was lost under a document", { attempt, error });
        if (attempt === attempts) throw unavailable("the browser ended twice while it printed this document");
      }
    }
  }

  private async attempt(job: PrintJob, limit: JobLimit, again: boolean): Promise<PrintedDocument> {
    const { document, html } = await limit.race(
      this.origins.begin(job.html, job.resources),
      "looking for pictures",
    );
    try {
      limit.phase = "waiting for the browser";
      const script = eastAsianScript(job.html, documentLanguage(job.html));
      const wanted = { scripts: job.scripts, tried: again, eastAsianScript: script };
      const lent = await this.supervisor.take(wanted, limit.signal);
      lent.page.origin.document = document;
      const content = await this.work(job, html, lent, limit, document);
      const refused = Array.from(document.refused, ([path, reason]) => ({ path, reason }));
      return { content, missing: [...document.missing], refused };
    } finally {
      this.origins.end(document);
    }
  }

  private async work(
    job: PrintJob,
    html: string,
    lent: LentPage,
    limit: JobLimit,
    running: RunningDocument,
  ): Promise<Buffer> {
    const { page } = lent;
    const pictureBytes = this.origins.contentBytes(running);
    const document = {
      html: hideOnScreen(html),
      tagged: job.tagged,
      fonts: mayHaveFonts(html),
      longTitle: job.scripts || mayHaveLongTitle(html),
      maximumBytes: this.configuration.outputBytes,
      expectedBytes: pictureBytes + html.length * bytesPerCharacter[job.tagged ? "tagged" : "untagged"],
    };
    const large = html.length >= this.configuration.largeDocument;
    let current: Promise<unknown> = Promise.resolve();
    let reusable = false;
    try {
      const loading = page.load(document);
      current = loading;
      const { loadTimeout } = this.configuration;
      await limit.race(loading, "loading the document", loadTimeout, () => running.loaded);
      const printing = page.print(document);
      current = printing;
      const content = await limit.race(printing, "printing the document", this.printTimeout(html));
      reusable = !leavesTraces(html);
      return content;
    } catch (error) {
      this.refuseMemory(error, lent);
      if (job.signal.aborted) reusable = (await endsSoon(current)) && !leavesTraces(html);
      else if (!limit.signal.aborted && !(await page.browser.answers(1000))) {
        page.browser.kill();
        throw new BrowserLostError("the browser does not answer");
      }
      throw error;
    } finally {
      page.origin.document = undefined;
      lent.giveBack({ reusable, large });
    }
  }

  /** Throws when the page was lost because of what the document took: another try would do the same. */
  private refuseMemory(error: unknown, lent: LentPage): void {
    const mebibytes = error instanceof BrowserLostError ? lent.memoryOfLost() : undefined;
    if (mebibytes !== undefined)
      throw documentTooLarge("documentMemory", mebibytes, this.configuration.documentMemory);
  }

  private printTimeout(html: string): number {
    const { printTimeout, printTimeoutPer100Kilobytes } = this.configuration;
    return printTimeout + (html.length / 100_000) * printTimeoutPer100Kilobytes;
  }
}

/** Whether what a page was doing comes to a good end within the grace period. */
function endsSoon(work: Promise<unknown>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => false,
  );
  return Promise.race([ended, pause(graceOfAborted, false)]);
}

/** How a node of the page tree begins; titles cannot say the same, because line ends are escaped in strings. */
const node = " obj\n<</Type /Pages\n";

/**
 * The number of pages of a PDF that Chromium wrote: the largest `/Count` of its page tree (PDF 32000-1, 7.7.3). Its
 * page tree nodes are never inside of compressed streams.
 */
export function pageCount(pdf: Buffer): number {
  let pages = 0;
  for (let start = pdf.indexOf(node); start !== -1; start = pdf.indexOf(node, start + 1)) {
    const end = pdf.indexOf("endobj", start);
    const entries = pdf.toString("latin1", start, end === -1 ? undefined : end);
    pages = Math.max(pages, Number(/\/Count\s+(\d+)/.exec(entries)?.[1] ?? 0));
  }
  return pages;
}
