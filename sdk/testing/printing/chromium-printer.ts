import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Browser } from "puppeteer-core";
import { type Suppression, suppressedError } from "../../errors.js";
import {
  installedPlaces,
  puppeteerCachePlaces,
  realProgram,
  unpackedPlaces,
} from "../../runtime/browsers/browser-places.js";
import { optionalPeer } from "../inspection/optional-peer.js";
import type { TestPrint, TestPrinter, TestPrintJob } from "../test-host.js";
import { printDocument } from "./print-document.js";

const ways =
  "Get one by `npx puppeteer browsers install chrome-headless-shell` or, on Debian and Ubuntu, by " +
  "`apt-get install chromium-headless-shell`, or name one: chromiumPrinter({ executable }), or the environment " +
  "variable PUPPETEER_EXECUTABLE_PATH.";

/** Which browser prints. */
export interface ChromiumPrinterOptions {
  /** The program of the browser; without it `PUPPETEER_EXECUTABLE_PATH`, else the first Chrome or Chromium that is found. */
  executable?: string;
}

/** Prints with a real browser, which starts with the first document. */
export interface ChromiumPrinter extends TestPrinter {
  /** Ends the browser; the next document starts another one. Documents that are being printed end with an error. */
  stop(): Promise<void>;
}

/**
 * Prints documents as a host does: by a real Chromium, with the network refused but for what the test host itself has under
 * paths such as "/assets/<sha256>", and scripts only where the document asks for them. Needs the package `puppeteer-core`
 * and a Chrome or Chromium; the first document rejects with what to install where one of them is missing.
 *
 * PDFs are not merged: each link to prepend or append is told as the suppressed error `attachment-error`.
 */
export function chromiumPrinter(options: ChromiumPrinterOptions = {}): ChromiumPrinter {
  let browser: Promise<Browser> | undefined;
  const open = (): Promise<Browser> => {
    const starting = launch(options.executable);
    browser = starting;
    const forget = (): void => {
      if (browser === starting) browser = undefined;
    };
    starting.then((started) => started.once("disconnected", forget), forget);
    return starting;
  };
  return {
    async print(job): Promise<TestPrint> {
      const { content, missing } = await printDocument(await (browser ?? open()), job);
      const errors = [...missingFiles(missing), ...leftOut(job)].map(suppressedError);
      return { content, pages: pageCount(content), errors };
    },
    async stop() {
      const ending = browser;
      browser = undefined;
      await (await ending?.catch(() => undefined))?.close();
    },
  };
}

async function launch(executable: string | undefined): Promise<Browser> {
  const { launch: start } = await optionalPeer(
    "puppeteer-core",
    "Printing with Chromium",
    () => import("puppeteer-core"),
  );
  return start({
    executablePath: await findBrowser(executable),
    headless: "shell",
    pipe: true,
    args: [
      // Names are never resolved: what is not answered here does not exist.
      "--host-resolver-rules=MAP * ~NOTFOUND",
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      "--disable-background-networking",
      "--disable-dev-shm-usage",
      "--disable-gpu",
      "--font-render-hinting=none",
      "--force-color-profile=srgb",
      // Chromium refuses to have its sandbox as root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
}

/** How Chromium begins the object of a page; a title cannot say the same, because line ends are escaped in texts. */
const pageStart = " obj\n<</Type /Page\n";

function pageCount(pdf: Uint8Array): number {
  return (
    Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString("latin1").split(pageStart).length - 1
  );
}

function missingFiles(paths: string[]): Suppression[] {
  if (paths.length === 0) return [];
  return [
    {
      id: "document-resource-missing",
      message: `The document refers to ${paths.length} files that are not there: ${paths.join(", ")}.`,
      scope: "WARN",
      additionalInformation: { paths },
    },
  ];
}

function leftOut({ prependLinks, appendLinks }: TestPrintJob): Suppression[] {
  return [...prependLinks, ...appendLinks].map((link) => ({
    id: "attachment-error",
    message: `The attachment ${link} was left out: the printer of the test kit does not merge PDFs.`,
    additionalInformation: { link },
  }));
}

/**
 * The browser to print with: the given one, that of `PUPPETEER_EXECUTABLE_PATH`, else the first that there is in puppeteer's
 * cache, on PATH, in the usual folders, or unpacked by a host of the same user. Rejects where there is none, with the ways to
 * get one.
 */
async function findBrowser(given: string | undefined): Promise<string> {
  const named = given ?? process.env["PUPPETEER_EXECUTABLE_PATH"];
  if (named) {
    const origin = given === undefined ? "PUPPETEER_EXECUTABLE_PATH" : "chromiumPrinter({ executable })";
    await access(named, constants.X_OK).catch((error: unknown) => {
      throw new Error(`${origin} names no program that can be started: ${named}`, { cause: error });
    });
    return realProgram(named);
  }
  for (const places of [puppeteerCachePlaces, installedPlaces, unpackedPlaces]) {
    const [first] = await places();
    if (first !== undefined) return realProgram(first);
  }
  throw new Error(`There is no Chrome or Chromium to print with. ${ways}`);
}
