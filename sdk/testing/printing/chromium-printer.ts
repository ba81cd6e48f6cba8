import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Browser } from "puppeteer-core";
import { installedPlaces, puppeteerCachePlaces, realProgram, unpackedPlaces } from "../../runtime/host.js";
import { type Suppression, suppressedError } from "../../schema/errors.js";
import { optionalPeer } from "../inspection/optional-peer.js";
import type { TestPrint, TestPrinter, TestPrintJob } from "../test-host.js";
import { printDocument } from "./print-document.js";

const ways =
  "Get one by `npx puppeteer browsers install chrome-headless-shell` or, on Debian and Ubuntu, by " +
  "`apt-get install chromium-headless-shell`, or name one: chromiumPrinter({ executable }), or the environment " +
  "variable PUPPETEER_EXECUTABLE_PATH.";

/** Selects the browser. */
export interface ChromiumPrinterOptions {
  /** Path of the browser; by default `PUPPETEER_EXECUTABLE_PATH`, then the first Chrome or Chromium found. */
  executable?: string;
}

/** Prints with a real browser, which starts with the first document. */
export interface ChromiumPrinter extends TestPrinter {
  /** Stops the browser; the next document starts a new one. Documents being printed fail. */
  stop(): Promise<void>;
}

/**
 * Prints documents like a host: with a real Chromium, without network access except for the test host's own
 * files at paths such as "/assets/<sha256>", and with scripts only if the document requests them. Requires
 * the package `puppeteer-core` and a Chrome or Chromium; if one is missing, the first document rejects and
 * says what to install.
 *
 * PDFs are not merged: each link to prepend or append results in the suppressed error `attachment-error`.
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
      // Names are never resolved: only requests intercepted here succeed.
      "--host-resolver-rules=MAP * ~NOTFOUND",
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      "--disable-background-networking",
      "--disable-dev-shm-usage",
      "--disable-gpu",
      "--font-render-hinting=none",
      "--force-color-profile=srgb",
      // Chromium's sandbox does not work for root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
}

/**
 * The start of a page object as Chromium writes it; titles cannot contain it, because line breaks are escaped
 * in strings.
 */
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
      message: `The document refers to ${paths.length} missing files: ${paths.join(", ")}.`,
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
 * The browser to print with: the given one, that of `PUPPETEER_EXECUTABLE_PATH`, or the first one found in
 * puppeteer's cache, on PATH, in the usual folders, or unpacked by a host of the same user. Rejects with
 * installation hints if none is found.
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
