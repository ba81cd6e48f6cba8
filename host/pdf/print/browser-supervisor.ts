import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "@slipway/sdk";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { asError } from "../../system/errors.js";
import { restartPause } from "../../system/supervised-process.js";
import { monotonicTime } from "../../system/time.js";
import type { FontFolders } from "../fonts/fonts.js";
import { type BrowserGeneration, startGeneration } from "./browser-generation.js";
import { NoSandboxError } from "./browser-process.js";
import type { DocumentOrigins } from "./document-origins.js";
import { type FoundBrowser, findBrowser, NoBrowserError, WrongBrowserError } from "./find-browser.js";
import { PagePool } from "./page-pool.js";
import { unavailable } from "./print-errors.js";
import { removeStaleProfiles } from "./profile-folders.js";
import type { WarmPage } from "./warm-page.js";

/** Milliseconds. */
const pauses = { first: 250, longest: 30_000 };
/** A browser that ends younger than this counts as a failed start. */
const settledAfter = 10_000;
/** Failed starts in a row from which documents are turned away instead of waiting. */
const patience = 3;

/** A page on loan; it has to be given back. */
export interface LentPage {
  page: WarmPage;
  giveBack(result: { reusable: boolean; large: boolean }): void;
  /** MiB that the page had taken when it was lost, if it was lost because that is more than a document may take. */
  memoryOfLost(): number | undefined;
}

/** The state of the browser. */
export interface BrowserHealth {
  state: "starting" | "ready" | "degraded" | "unavailable" | "stopped";
  /** One sentence; for a problem, with its fix. */
  detail: string;
  executable: string | undefined;
  /** Of the browser, as it says itself. */
  version: string | undefined;
  /** Open ones, idle or not. */
  pages: number;
  restarts: number;
}

/** Which page a document needs. */
export interface TakeOptions {
  scripts: boolean;
  tried: boolean;
  /** Of the document, see `eastAsianScript`. */
  eastAsianScript: string | undefined;
}

export interface SupervisorOptions {
  configuration: PdfConfiguration;
  /** Folder for profiles and the font configuration. */
  folder: string;
  fonts: FontFolders;
  varDirectory: string;
  origins: DocumentOrigins;
  slots: number;
  log: Log;
}

/** Keeps one browser running: starts it, replaces it when it dies, freezes or grows old, and ends it. */
export class BrowserSupervisor {
  restarts = 0;
  private readonly pool = new PagePool();
  private readonly ending = new AbortController();
  private current: BrowserGeneration | undefined;
  private found: FoundBrowser | undefined;
  private launching: Promise<void> | undefined;
  private failures = 0;
  private hasWorked = false;
  private problem: Error | undefined;
  private proxyPort = 0;
  private silences = 0;
  private watch: NodeJS.Timeout | undefined;

  constructor(private readonly options: SupervisorOptions) {}

  /** Resolves when the browser is ready or the first try has failed. Throws only for a wrongly configured browser. */
  async start(proxyPort: number): Promise<void> {
    this.proxyPort = proxyPort;
    await removeStaleProfiles(this.options.folder, this.options.log);
    try {
      await this.launch();
    } catch (error) {
      if (error instanceof WrongBrowserError) throw error;
      this.failed(error);
      this.launchSoon();
    }
    this.watch = setInterval(() => this.checkSilence(), this.options.configuration.silenceTimeout);
    this.watch.unref();
  }

  /**
   * A warm page, or a fresh one for a document with scripts. Waits while the browser starts. With `tried`, the page
   * has just answered: after a death, others may be dead as well without having been noticed. A page that has chosen fonts
   * for another East Asian script is replaced.
   */
  async take(options: TakeOptions, signal: AbortSignal): Promise<LentPage> {
    for (;;) {
      if (this.pool.size === 0) this.current?.openAnother();
      const warm = await this.pool.take(signal);
      const generation = this.generationOf(warm);
      if (generation === undefined) continue; // its browser has been replaced meanwhile
      generation.taken();
      if (
        !warm.isSound ||
        !fitsScript(warm, options.eastAsianScript) ||
        (options.tried && !(await warm.answers()))
      ) {
        generation.giveBack(warm, { reusable: false, large: false });
      } else if (!options.scripts) {
        return {
          page: warm,
          giveBack: (result) => this.returned(generation, warm, result),
          memoryOfLost: () => generation.memoryOfLost(),
        };
      } else {
        return this.withScripts(generation, warm);
      }
    }
  }

  /** Why documents cannot be printed, now and in the near future. The details are in the health, not for clients. */
  get refusal(): Error | undefined {
    if (this.current !== undefined) return undefined;
    if (this.problem instanceof NoBrowserError) return unavailable("the server has no browser to print with");
    const lost = this.failures >= patience || this.problem instanceof NoSandboxError;
    return lost ? unavailable("the browser of the server does not start") : undefined;
  }

  get health(): BrowserHealth {
    const { executable, version } = this.found ?? {};
    const pages = this.current === undefined ? 0 : this.pool.size + this.current.lent;
    const about = { executable, version, pages, restarts: this.restarts };
    if (this.ending.signal.aborted) return { state: "stopped", detail: "The service has stopped.", ...about };
    if (this.current !== undefined)
      return { state: "ready", detail: `${this.found?.version ?? "The browser"} is ready.`, ...about };
    if (this.problem === undefined)
      return { state: "starting", detail: "The browser is starting.", ...about };
    if (this.refusal !== undefined) return { state: "unavailable", detail: this.problem.message, ...about };
    return {
      // What has never worked is not on its way back.
      state: this.hasWorked ? "degraded" : "starting",
      detail: `The browser is being started again: ${this.problem.message}`,
      ...about,
    };
  }

  /**
   * Puts a new browser in the place of the present one, because a browser reads at its start which fonts there are. What is
   * being printed is finished by the old one, which stays if the new one does not start.
   */
  async renew(): Promise<void> {
    await this.launching;
    if (this.current === undefined || this.ending.signal.aborted) return; // the next one is a new one
    this.launching ??= this.launch()
      .catch((error: unknown) => this.options.log.error("the browser could not be replaced", { error }))
      .finally(() => {
        this.launching = undefined;
      });
    await this.launching;
  }

  async stop(): Promise<void> {
    this.ending.abort();
    clearInterval(this.watch);
    this.pool.refuse(unavailable("the host is stopping"));
    await this.launching;
    const last = this.current;
    this.current = undefined;
    last?.retire();
    await last?.browser.close(2000);
  }

  private generationOf(page: WarmPage): BrowserGeneration | undefined {
    return this.current?.browser === page.browser ? this.current : undefined;
  }

  /** The warm page keeps its place while the other one works, so that no more documents print than configured. */
  private async withScripts(generation: BrowserGeneration, warm: WarmPage): Promise<LentPage> {
    const unused = { reusable: true, large: false };
    try {
      const page = await generation.openScriptPage();
      return {
        page,
        giveBack: () => {
          page.close().finally(() => this.returned(generation, warm, unused));
        },
        memoryOfLost: () => generation.memoryOfLost(),
      };
    } catch (error) {
      this.returned(generation, warm, unused);
      throw error;
    }
  }

  private returned(
    generation: BrowserGeneration,
    page: WarmPage,
    result: { reusable: boolean; large: boolean },
  ): void {
    generation.giveBack(page, result);
    const old = generation.documents >= this.options.configuration.recycling.browserDocuments;
    if (old && generation === this.current) this.launchSoon();
  }

  /** Starts a browser and puts it in the place of the present one. */
  private async launch(): Promise<void> {
    const { configuration, varDirectory, log } = this.options;
    this.found ??= await findBrowser({
      executable: configuration.executable,
      cache: configuration.browserCache,
      varDirectory,
    });
    const begun = performance.now();
    const { generation, page } = await startGeneration({
      ...this.options,
      found: this.found,
      proxyPort: this.proxyPort,
      pool: this.pool,
    });
    if (this.ending.signal.aborted) return generation.browser.close(2000);
    this.adopt(generation, page);
    log.info("the browser is ready", {
      version: this.found.version,
      milliseconds: Math.round(performance.now() - begun),
    });
  }

  private adopt(generation: BrowserGeneration, page: WarmPage): void {
    const previous = this.current;
    const since = monotonicTime();
    this.current = generation;
    this.hasWorked = true;
    this.problem = undefined;
    this.silences = 0;
    generation.browser.ended.then(() => this.ended(generation, monotonicTime() - since));
    previous?.retire();
    this.pool.offer(page);
  }

  private ended(generation: BrowserGeneration, age: number): void {
    if (generation !== this.current || this.ending.signal.aborted) return;
    this.options.log.warn("the browser ended and is started again", { age });
    this.current = undefined;
    this.restarts++;
    this.problem = new Error("it ended unexpectedly");
    this.failures = age < settledAfter ? this.failures + 1 : 0;
    this.pool.withdrawAll();
    this.launchSoon();
  }

  /** One start at a time, with growing pauses after failures. */
  private launchSoon(): void {
    this.launching ??= this.launchUntilReady().finally(() => {
      this.launching = undefined;
    });
  }

  private async launchUntilReady(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        // The first death of a browser costs no pause.
        await pause(restartPause(this.failures - 1, pauses), undefined, { signal: this.ending.signal });
        await this.launch();
        return;
      } catch (error) {
        if (!this.ending.signal.aborted) this.failed(error);
      }
    }
  }

  private failed(error: unknown): void {
    const problem = asError(error);
    // The same failure of repeated tries is logged once.
    const level = problem.message === this.problem?.message ? "debug" : "error";
    this.options.log[level]("the browser could not be started", { error, failures: this.failures + 1 });
    this.failures++;
    this.problem = problem;
    const refusal = this.refusal;
    if (refusal !== undefined) this.pool.refuse(refusal);
    if (this.failures >= patience) this.found = undefined; // perhaps another one has been installed
  }

  /** Detects a frozen browser: while documents are printed, the browser must answer regularly. */
  private async checkSilence(): Promise<void> {
    const generation = this.current;
    if (generation === undefined || generation.lent === 0) return;
    const answers = await generation.browser.answers(this.options.configuration.silenceTimeout - 1);
    this.silences = answers ? 0 : this.silences + 1;
    if (this.silences < 2 || generation !== this.current) return;
    this.options.log.warn("the browser does not answer and is replaced", {});
    this.silences = 0;
    generation.browser.kill();
  }
}

/** Takes the page for the script if it fits. */
function fitsScript(page: WarmPage, script: string | undefined): boolean {
  if (script === undefined) return true;
  page.eastAsianScript ??= script;
  return page.eastAsianScript === script;
}
