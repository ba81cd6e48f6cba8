import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { ownStorageProblem } from "../../system/request-errors.js";
import { type FontFolders, writeFontConfiguration } from "../fonts/fonts.js";
import { BrowserProcess, within } from "./browser-process.js";
import type { DocumentOrigins } from "./document-origins.js";
import type { FoundBrowser } from "./find-browser.js";
import type { PagePool } from "./page-pool.js";
import { createProfile, removeProfile } from "./profile-folders.js";
import { largestRenderer, RendererLimit } from "./renderer-memory.js";
import { WarmPage } from "./warm-page.js";

/** After so many documents a page gives back what the last ones took: about a MiB each. */
const collectEvery = 40;
/** Fewer are enough after some milliseconds without a document: then no document waits for the page. */
const pause = { documents: 10, time: 500 };
/** Documents between two checks of the memory of the renderers. */
const memoryCheckEvery = 10;
/** Milliseconds after the last document until all pages but one are closed. */
const idleTime = 60_000;

/**
 * One browser with its warm pages, from its start to the end of its last document. It has one page, and more, up to the
 * number of its slots, from when documents have to wait for one: each takes 30 MiB, and its start much of a processor
 * while the first document is printed.
 */
export class BrowserGeneration {
  documents = 0;
  private readonly recycled = new Set<WarmPage>();
  private inUse = 0;
  /** Pages that are open, or are opening, for documents without scripts. */
  private open = 0;
  /** Pages that are collecting; they come back sooner than another one would be open. */
  private collecting = 0;
  private retired = false;
  private pausing: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private readonly memory: RendererLimit;

  constructor(
    readonly browser: BrowserProcess,
    private readonly origins: DocumentOrigins,
    private readonly pool: PagePool,
    private readonly configuration: Pick<PdfConfiguration, "documentMemory" | "recycling">,
    private readonly slots: number,
    private readonly log: Log,
  ) {
    this.memory = new RendererLimit(browser, configuration.documentMemory, log);
  }

  /** Opens a page; it is not offered yet. */
  async openPage(): Promise<WarmPage> {
    this.open++;
    try {
      return await WarmPage.open(this.browser, this.origins, false);
    } catch (error) {
      this.open--;
      throw error;
    }
  }

  /** A fresh page with scripts, in a separate context, for one document. */
  openScriptPage(): Promise<WarmPage> {
    return WarmPage.open(this.browser, this.origins, true);
  }

  /** Pages on loan, and those that are collecting. */
  get lent(): number {
    return this.inUse + this.collecting;
  }

  /** A page was taken out of the pool. */
  taken(): void {
    this.inUse++;
    this.stopTimers();
    if (this.inUse === 1) this.memory.start();
    if (this.pool.queued > 0) this.openAnother();
  }

  /** Opens a further page, if there may be one, because a document waits. */
  openAnother(): void {
    if (this.retired || this.open >= this.slots || this.collecting > 0) return;
    this.inBackground(async () => this.offerOrDiscard(await this.openPage()));
  }

  /** MiB that a lost page had taken, if it was lost because that is more than a document may take. */
  memoryOfLost(): number | undefined {
    return this.memory.reasonOfLoss();
  }

  /** Takes a page back after a document: into the pool, or away when it is not fit for another one. */
  giveBack(page: WarmPage, { reusable, large }: { reusable: boolean; large: boolean }): void {
    this.inUse--;
    if (this.inUse === 0) {
      this.memory.stop();
      this.pausing = this.later(pause.time, () => this.collectAll());
      this.idle = this.later(idleTime, () => this.shrink());
    }
    this.documents++;
    if (this.retired || !this.browser.isAlive) {
      this.discard(page);
      if (this.retired && this.inUse === 0) this.closeBrowser();
      return;
    }
    if (!reusable || !page.isSound) {
      this.recycled.delete(page);
      this.replace(page);
      return;
    }
    const isOld = page.documents >= this.configuration.recycling.documents;
    if (!isOld && page.uncollected >= collectEvery) this.collect(page);
    else this.pool.offer(page);
    if (isOld) this.recycle(page);
    if (large || this.documents % memoryCheckEvery === 0) this.checkMemory();
  }

  /** No new documents; the browser closes when the running ones are through. */
  retire(): void {
    this.retired = true;
    this.stopTimers();
    for (const page of this.pool.withdrawAll()) this.discard(page);
    if (this.inUse === 0) this.closeBrowser();
  }

  /** Replaces a page that still works, without a gap: the new one is open before the old one goes. */
  private recycle(page: WarmPage): void {
    if (this.recycled.has(page)) return;
    this.recycled.add(page);
    this.inBackground(async () => {
      const fresh = await this.openPage();
      this.recycled.delete(page);
      this.offerOrDiscard(fresh);
      if (this.pool.withdraw(page)) this.discard(page);
      else page.retire();
    });
  }

  private collect(page: WarmPage): void {
    this.collecting++;
    this.inBackground(async () => {
      const isFit = await page.collectGarbage();
      this.collecting--;
      if (isFit && !page.isRetired) this.offerOrDiscard(page);
      else this.replace(page);
    });
  }

  private collectAll(): void {
    for (const page of this.pool.withdrawAll())
      if (page.uncollected >= pause.documents) this.collect(page);
      else this.pool.offer(page);
  }

  /** Not once another browser has taken over: the pool has its pages then. */
  private later(milliseconds: number, work: () => void): NodeJS.Timeout {
    return setTimeout(() => {
      if (!this.retired && this.browser.isAlive) work();
    }, milliseconds).unref();
  }

  private stopTimers(): void {
    clearTimeout(this.pausing);
    clearTimeout(this.idle);
  }

  private replace(page: WarmPage): void {
    const retired = page.isRetired;
    this.inBackground(async () => {
      await this.close(page);
      if (retired || this.retired || !this.browser.isAlive || this.open >= this.slots) return;
      this.offerOrDiscard(await this.openPage());
    });
  }

  private offerOrDiscard(page: WarmPage): void {
    if (this.retired || !this.browser.isAlive) this.discard(page);
    else this.pool.offer(page);
  }

  private discard(page: WarmPage): void {
    this.inBackground(() => this.close(page));
  }

  private async close(page: WarmPage): Promise<void> {
    await page.close();
    this.open--;
  }

  private shrink(): void {
    for (const page of this.pool.withdrawAll(1)) this.discard(page);
  }

  private checkMemory(): void {
    this.inBackground(async () => {
      const mebibytes = await largestRenderer(this.browser);
      if (mebibytes < this.configuration.recycling.memory || this.retired) return;
      this.log.info("a page of the browser has grown large; the pages are replaced", { mebibytes });
      for (const page of this.pool.withdrawAll()) {
        this.pool.offer(page);
        this.recycle(page);
      }
    });
  }

  private closeBrowser(): void {
    this.inBackground(() => this.browser.close(2000));
  }

  /** A page that cannot be opened or closed in a living browser means that the browser is ill: it goes. */
  private inBackground(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (this.retired || !this.browser.isAlive) return;
      this.log.warn("the browser does not open or close pages any more and is replaced", { error });
      this.browser.kill();
    });
  }
}

/** What a new browser prints first, see `selfTest`. */
const testDocument = {
  html: '<!doctype html><html lang="en"><head><title>Slipway</title></head><body>Slipway</body></html>',
  tagged: false,
  fonts: false,
  longTitle: false,
  expectedBytes: 0,
  maximumBytes: Number.POSITIVE_INFINITY,
};

export interface StartOptions {
  configuration: PdfConfiguration;
  /** Folder for profiles and the font configuration. */
  folder: string;
  fonts: FontFolders;
  found: FoundBrowser;
  proxyPort: number;
  origins: DocumentOrigins;
  pool: PagePool;
  /** Warm pages at most. */
  slots: number;
  log: Log;
}

/** Starts a browser, opens a page and tries it. What fails leaves nothing behind; the error says why. */
export async function startGeneration(
  options: StartOptions,
): Promise<{ generation: BrowserGeneration; page: WarmPage }> {
  const { configuration, found, origins, pool, slots, log } = options;
  const browser = await launch(options);
  const generation = new BrowserGeneration(browser, origins, pool, configuration, slots, log);
  const opening = async (): Promise<WarmPage> => {
    const page = await generation.openPage();
    await selfTest(page);
    return page;
  };
  try {
    return { generation, page: await within(configuration.startTimeout, opening()) };
  } catch (error) {
    browser.kill();
    await browser.gone;
    throw new Error(`the browser ${found.executable} failed its self test`, { cause: error });
  }
}

/** Rejects without a path: clients get the reason why the browser does not start. */
async function ownFiles(folder: string, fonts: FontFolders) {
  try {
    const fontConfiguration = await writeFontConfiguration(join(folder, "fonts"), fonts);
    return { fontConfiguration, profile: await createProfile(folder) };
  } catch (error) {
    const problem = ownStorageProblem(error);
    if (problem === undefined) throw error;
    throw new Error(`${problem} for the files of the browser; see the folder var`, { cause: error });
  }
}

async function launch(options: StartOptions): Promise<BrowserProcess> {
  const { configuration, folder, fonts, found, proxyPort, log } = options;
  const { fontConfiguration, profile } = await ownFiles(folder, fonts);
  try {
    return await BrowserProcess.launch(
      { ...found, profile, fontConfiguration, proxyPort, sandbox: configuration.sandbox },
      configuration.startTimeout,
      log,
    );
  } catch (error) {
    await removeProfile(profile, log);
    throw error;
  }
}

/**
 * Prints one word. A browser without a usable font prints an empty page and says nothing, so the PDF has to have a
 * font in it. Throws when it has not.
 */
async function selfTest(page: WarmPage): Promise<void> {
  await page.load(testDocument);
  const pdf = await page.print(testDocument);
  if (!pdf.includes("/FontFile2") && !pdf.includes("/FontFile3") && !pdf.includes("/Type3")) {
    throw new Error("the browser prints empty pages: it finds none of the fonts that come with Slipway");
  }
}
