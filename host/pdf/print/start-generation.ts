import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { ownStorageProblem } from "../../system/request-errors.js";
import { writeFontConfiguration } from "../fonts/font-configuration.js";
import type { FontFolders } from "../fonts/font-files.js";
import { BrowserGeneration } from "./browser-generation.js";
import { BrowserProcess, within } from "./browser-process.js";
import type { DocumentOrigins } from "./document-origins.js";
import type { FoundBrowser } from "./find-browser.js";
import type { PagePool } from "./page-pool.js";
import { createProfile, removeProfile } from "./profile-folders.js";
import type { WarmPage } from "./warm-page.js";

const document = {
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
  places: number;
  log: Log;
}

/** Starts a browser, opens a page and tries it. What fails leaves nothing behind; the error says why. */
export async function startGeneration(
  options: StartOptions,
): Promise<{ generation: BrowserGeneration; page: WarmPage }> {
  const { configuration, found, origins, pool, places, log } = options;
  const browser = await launch(options);
  const generation = new BrowserGeneration(browser, origins, pool, configuration, places, log);
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

/** Rejects without a path: what is wrong with the browser is told to clients. */
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
  await page.load(document);
  const pdf = await page.print(document);
  if (!pdf.includes("/FontFile2") && !pdf.includes("/FontFile3") && !pdf.includes("/Type3")) {
    throw new Error("the browser prints empty pages: it finds none of the fonts that come with Slipway");
  }
}
