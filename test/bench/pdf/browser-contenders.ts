/**
 * What the full request is compared with: the browser's own print of a loaded page, and the usual way. Uses the part itself:
 * they print with the browser and the fonts that a host finds.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import puppeteer, { type Browser, type CDPSession } from "puppeteer-core";
import { writeFontConfiguration } from "../../../host/pdf/fonts/font-configuration.js";
import { findBrowser } from "../../../host/pdf/print/find-browser.js";
import { atEnd } from "../measuring/clean-up.js";
import type { WebDocument } from "./report-document.js";

/** The same browser program with the same fonts, in puppeteer's hands. */
export async function launchBrowser(folder: string, flags: readonly string[] = []): Promise<Browser> {
  const found = await findBrowser({ executable: undefined, cache: undefined, varDirectory: folder });
  await mkdir(folder, { recursive: true });
  const fonts = await writeFontConfiguration(join(folder, "fonts"), {
    added: join(folder, "added-fonts"),
    configured: [],
  });
  const browser = await puppeteer.launch({
    executablePath: found.executable,
    pipe: true,
    // The end of the program closes it, with all others.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: ["--font-render-hinting=none", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...flags],
    env: { ...process.env, ...found.environment, FONTCONFIG_FILE: fonts },
    protocolTimeout: 600_000,
  });
  atEnd(() => browser.close());
  return browser;
}

/** Prints a page that was loaded before, with the same options as the host. */
export class LoadedPage {
  private constructor(private readonly session: CDPSession) {}

  static async open(browser: Browser, document: WebDocument): Promise<LoadedPage> {
    const page = await browser.newPage();
    await page.goto(document.url, { waitUntil: "load" });
    return new LoadedPage(await page.createCDPSession());
  }

  async print(): Promise<Uint8Array> {
    return this.printed({});
  }

  /** With Chromium's own header and footer instead of boxes in the margins of the style sheet. */
  async printWithHeaderAndFooter(): Promise<Uint8Array> {
    const line = (content: string): string =>
      `<div style="font-size:7pt;width:100%;text-align:center">${content}</div>`;
    return this.printed({
      displayHeaderFooter: true,
      headerTemplate: line('<span class="title"></span>'),
      footerTemplate: line('<span class="pageNumber"></span>/<span class="totalPages"></span>'),
    });
  }

  private async printed(options: Record<string, unknown>): Promise<Uint8Array> {
    const { data } = await this.session.send("Page.printToPDF", {
      printBackground: true,
      preferCSSPageSize: true,
      generateTaggedPDF: false,
      ...options,
    });
    return Buffer.from(data, "base64");
  }
}

/** The usual way: a warm browser, a new page for each document, its content set, printed, closed. */
export async function printUsualWay(browser: Browser, document: WebDocument): Promise<Uint8Array> {
  const page = await browser.newPage();
  try {
    await page.setContent(document.html, { waitUntil: "load", timeout: 600_000 });
    return await page.pdf({
      printBackground: true,
      preferCSSPageSize: true,
      tagged: false,
      timeout: 600_000,
    });
  } finally {
    await page.close();
  }
}

/** A document without the boxes in its page margins. */
export function withoutMarginBoxes(html: string): string {
  const boxes = /@(?:top|bottom|left|right)-[a-z-]+\s*\{[^}]*\}/g;
  return html.replaceAll(boxes, "");
}
