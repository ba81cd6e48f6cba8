import { blockedFile } from "@slipway/sdk/runtime/host";
import type { CDPSession, Protocol } from "puppeteer-core";
import { errorMessage } from "../../system/errors.js";
import { type BrowserProcess, within } from "./browser-process.js";
import { longestTitle } from "./document-html.js";
import type { DocumentOrigins, PageOrigin } from "./document-origins.js";
import { BrowserLostError, documentFailed, documentTooLarge } from "./print-errors.js";

/** Above this size a PDF comes as a stream: one message of it would take several times its size in memory. */
const streamFrom = 16 * 1024 ** 2;
const streamChunk = 4 * 1024 ** 2;
const openTimeout = 10_000;

/** Cuts the title of the document, in front of the character that would not fit. */
const cutTitle = `if (document.title.length > ${longestTitle}) {
  const beginning = document.title.slice(0, ${longestTitle + 1});
  document.title = beginning.slice(0, new Intl.Segmenter().segment(beginning).containing(${longestTitle}).index);
}`;

export interface PageDocument {
  html: string;
  tagged: boolean;
  /** Wait until the fonts of the document are loaded. */
  fonts: boolean;
  /** Its title may have to be cut. */
  longTitle: boolean;
  /** Bytes that the PDF will roughly have. */
  expectedBytes: number;
  /** Bytes that it may have. */
  maximumBytes: number;
}

/** A page that stays open; documents are set into it one after the other and printed. */
export class WarmPage {
  /** Documents printed so far. */
  documents = 0;
  /** Whose fonts it has for characters that several East Asian scripts share. Chromium remembers them by character alone. */
  eastAsianScript: string | undefined;
  private collectedAfter = 0;
  private retired = false;
  private readonly forgetBrowser: () => void;
  private failure: Error | undefined;
  private reject: ((error: Error) => void) | undefined;
  private loaded: (() => void) | undefined;

  private constructor(
    readonly browser: BrowserProcess,
    private readonly origins: DocumentOrigins,
    readonly origin: PageOrigin,
    private readonly targetId: string,
    private readonly contextId: string | undefined,
    private readonly session: CDPSession,
    private readonly frameId: string,
  ) {
    session.on("Page.loadEventFired", () => this.loaded?.());
    session.on("Page.frameNavigated", ({ frame }) => this.checkNavigation(frame.id));
    session.on("Page.frameRequestedNavigation", ({ frameId: id }) => this.checkNavigation(id));
    session.on("Page.frameScheduledNavigation", ({ frameId: id }) => this.checkNavigation(id));
    session.on("Audits.issueAdded", ({ issue }) => this.noteBlocked(issue));
    // Either event, a failing call or the end of the session shows that the renderer is dead.
    session.on("Inspector.targetCrashed", () => this.fail(new BrowserLostError("the page crashed")));
    session.on("Inspector.detached", () => this.fail(new BrowserLostError("the page was detached")));
    this.forgetBrowser = browser.onLost(() => this.fail(new BrowserLostError("the browser ended")));
  }

  /** Opens a page; one with scripts gets a separate browser context, without anything of other documents. */
  static async open(browser: BrowserProcess, origins: DocumentOrigins, scripts: boolean): Promise<WarmPage> {
    const origin = origins.openPage(scripts);
    try {
      return await within(openTimeout, WarmPage.opened(browser, origins, origin));
    } catch (error) {
      origins.closePage(origin);
      throw new BrowserLostError("a page could not be opened", { cause: error });
    }
  }

  private static async opened(
    browser: BrowserProcess,
    origins: DocumentOrigins,
    origin: PageOrigin,
  ): Promise<WarmPage> {
    const { connection } = browser;
    const context = origin.scripts
      ? (await connection.send("Target.createBrowserContext", { disposeOnDetach: true })).browserContextId
      : undefined;
    const { targetId } = await connection.send("Target.createTarget", {
      url: "about:blank",
      ...(context === undefined ? {} : { browserContextId: context }),
    });
    const session = await browser.openSession(targetId);
    await Promise.all([
      session.send("Page.enable"),
      session.send("Inspector.enable"),
      session.send("Audits.enable"),
      origin.scripts ? undefined : session.send("Emulation.setScriptExecutionDisabled", { value: true }),
    ]);
    const loaded = new Promise((resolve) => session.once("Page.loadEventFired", resolve));
    const { frameId, errorText } = await session.send("Page.navigate", { url: origin.url });
    if (errorText !== undefined) throw new Error(`the start page did not load: ${errorText}`);
    await loaded;
    return new WarmPage(browser, origins, origin, targetId, context, session, frameId);
  }

  /** Whether the page can take another document. */
  get isSound(): boolean {
    return this.failure === undefined && !this.retired && this.browser.isAlive && !this.origin.used;
  }

  /** Documents printed since it last gave their memory back. */
  get uncollected(): number {
    return this.documents - this.collectedAfter;
  }

  /** Its place is taken by another page already. */
  get isRetired(): boolean {
    return this.retired;
  }

  retire(): void {
    this.retired = true;
  }

  /** Whether the renderer of the page is alive. */
  answers(): Promise<boolean> {
    return this.does("Page.getFrameTree", 1000);
  }

  /**
   * Gives back the memory of earlier documents: a page that is never idle does not do so by itself. Resolves with whether the page can
   * take another one.
   */
  collectGarbage(): Promise<boolean> {
    this.collectedAfter = this.documents;
    return this.does("HeapProfiler.collectGarbage", 5000);
  }

  /** Sets the document and waits for its pictures and fonts. */
  async load(document: PageDocument): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      this.loaded = resolve;
    });
    await this.guarded(
      this.session
        .send("Page.setDocumentContent", { frameId: this.frameId, html: document.html })
        .then(() => loaded),
    );
    if (document.fonts) {
      await this.guarded(
        this.session.send("Runtime.evaluate", {
          expression: "Promise.allSettled([...document.fonts].map((font) => font.load())).then(() => true)",
          awaitPromise: true,
        }),
      );
    }
    if (document.longTitle)
      await this.guarded(this.session.send("Runtime.evaluate", { expression: cutTitle }));
  }

  /** Prints the loaded document. Rejects with 413 where the PDF is larger than it may be. */
  async print(document: PageDocument): Promise<Buffer> {
    this.documents++;
    const stream = document.expectedBytes >= streamFrom;
    const options: Protocol.Page.PrintToPDFRequest = {
      printBackground: true,
      preferCSSPageSize: true,
      paperWidth: 8.27,
      paperHeight: 11.69,
      generateTaggedPDF: document.tagged,
      generateDocumentOutline: document.tagged,
      transferMode: stream ? "ReturnAsStream" : "ReturnAsBase64",
    };
    const printed = await this.guarded(this.session.send("Page.printToPDF", options));
    const { maximumBytes } = document;
    const content =
      printed.stream === undefined
        ? Buffer.from(printed.data, "base64")
        : await this.guarded(this.readStream(printed.stream, maximumBytes));
    if (content.length > maximumBytes) throw documentTooLarge("outputBytes", content.length, maximumBytes);
    return content;
  }

  /** Gives the page up, with everything in it. A browser that does not answer is killed. */
  async close(): Promise<void> {
    this.fail(new BrowserLostError("the page was closed"));
    this.forgetBrowser();
    this.origins.closePage(this.origin);
    await this.browser.closeTarget(this.targetId, 1000);
    if (this.contextId !== undefined && this.browser.isAlive) {
      const disposing = this.browser.connection.send("Target.disposeBrowserContext", {
        browserContextId: this.contextId,
      });
      await within(1000, disposing).catch(() => undefined); // it also goes with the connection
    }
  }

  /** Whether the page does something within some milliseconds, and has not failed. */
  private does(
    method: "Page.getFrameTree" | "HeapProfiler.collectGarbage",
    timeout: number,
  ): Promise<boolean> {
    return within(timeout, this.session.send(method)).then(
      () => this.failure === undefined,
      () => false,
    );
  }

  /** All of it, or its beginning where it is longer than it may be. */
  private async readStream(handle: string, maximumBytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for (let last = false; !last && bytes <= maximumBytes; ) {
      const part = await this.session.send("IO.read", { handle, size: streamChunk });
      const content = Buffer.from(part.data, part.base64Encoded === true ? "base64" : "utf8");
      parts.push(content);
      bytes += content.length;
      last = part.eof;
    }
    await this.session.send("IO.close", { handle });
    return Buffer.concat(parts);
  }

  /** The promise, or the failure of the page where that comes first. */
  private async guarded<T>(promise: Promise<T>): Promise<T> {
    if (this.failure !== undefined) throw this.failure;
    const failed = new Promise<never>((_, reject) => {
      this.reject = reject;
    });
    try {
      const value = await Promise.race([promise, failed]);
      if (this.failure !== undefined) throw this.failure;
      return value;
    } catch (error) {
      throw this.failure ?? (await this.explained(error));
    } finally {
      this.reject = undefined;
    }
  }

  /**
   * A call fails because the browser refuses the document or because a process died; the death shows in another
   * way and perhaps later, so the page is asked.
   */
  private async explained(error: unknown): Promise<Error> {
    const alive = await this.answers();
    const reason = errorMessage(error);
    this.failure ??= alive
      ? documentFailed("Chromium could not print the document.", error)
      : new BrowserLostError(reason);
    return this.failure;
  }

  private checkNavigation(frameId: string): void {
    if (frameId !== this.frameId) return;
    this.fail(documentFailed("The document tried to navigate; a printed document cannot."));
  }

  /** What the policy of the page keeps out never reaches the proxy, where files that are missing are noticed. */
  private noteBlocked({ details }: Protocol.Audits.InspectorIssue): void {
    const { origin } = new URL(this.origin.url);
    const file = blockedFile(details.contentSecurityPolicyIssueDetails?.blockedURL, origin);
    if (file !== undefined) this.origin.document?.missing.add(file);
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.reject?.(this.failure);
  }
}
