import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { promisify } from "node:util";
import { installedPlaces, puppeteerCachePlaces, realProgram } from "@slipway/sdk/runtime/host";
import { errorMessage } from "../../system/errors.js";
import { discardUnpacked, packedBrowser, unpackBrowser } from "./packed-browser.js";

const run = promisify(execFile);
const versionTimeout = 20_000;

export interface FoundBrowser {
  executable: string;
  /** As the browser says it. */
  version: string;
  /** Further environment variables that it needs. */
  environment: Record<string, string>;
}

/** There is no browser. The message lists every place tried and the ways to get one. */
export class NoBrowserError extends Error {
  override readonly name = "NoBrowserError";
}

/** The configured browser cannot be used; no other one is taken in its place. */
export class WrongBrowserError extends Error {
  override readonly name = "WrongBrowserError";
}

const ways =
  "Get one in one of three ways: `npx puppeteer browsers install chrome-headless-shell`; " +
  "on Debian or Ubuntu `apt-get install chromium-headless-shell`; " +
  "on Linux x64 `npm install @sparticuz/chromium`. Or name one: configuration `pdf.executable`.";

/**
 * The browser to print with: the configured one, `PUPPETEER_EXECUTABLE_PATH`, puppeteer's cache, an installed one,
 * the one that npm brought. Throws `WrongBrowserError` and `NoBrowserError`.
 */
export async function findBrowser(options: {
  executable: string | undefined;
  cache: string | undefined;
  varDirectory: string;
}): Promise<FoundBrowser> {
  const configured = options.executable || process.env["PUPPETEER_EXECUTABLE_PATH"];
  if (configured) return configuredBrowser(configured, Boolean(options.executable));
  const tried: string[] = [];
  const places = [...(await puppeteerCachePlaces()), ...(await installedPlaces())];
  if (places.length === 0) tried.push("puppeteer's cache, PATH and the usual folders: nothing there");
  for (const place of places) {
    const executable = await realProgram(place);
    const answer = await askVersion(executable);
    if (answer.ok) return { executable, version: answer.version, environment: {} };
    tried.push(`${place}: ${answer.reason}`);
  }
  const packed = await packedBrowser();
  if (packed === undefined) tried.push("@sparticuz/chromium: not installed, or not for this kind of machine");
  const unpacked = packed && (await packedCandidate(packed, options, tried));
  if (unpacked) return unpacked;
  throw new NoBrowserError(`no browser found. Tried: ${tried.join("; ")}. ${ways}`);
}

async function configuredBrowser(path: string, byConfiguration: boolean): Promise<FoundBrowser> {
  const origin = byConfiguration ? "configuration pdf.executable" : "PUPPETEER_EXECUTABLE_PATH";
  try {
    await access(path, constants.X_OK);
  } catch (error) {
    throw new WrongBrowserError(`${origin}: the browser ${path} is not executable: ${errorMessage(error)}`);
  }
  const executable = await realProgram(path);
  const answer = await askVersion(executable);
  if (!answer.ok)
    throw new WrongBrowserError(`${origin}: the browser ${path} does not start: ${answer.reason}`);
  return { executable, version: answer.version, environment: {} };
}

/** Unpacks and tries; a broken copy is unpacked once more. Reasons of failure go to `tried`. */
async function packedCandidate(
  packed: { folder: string; version: string },
  options: { cache: string | undefined; varDirectory: string },
  tried: string[],
): Promise<FoundBrowser | undefined> {
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      const unpacked = await unpackBrowser(packed, options);
      const environments = [{}, { LD_LIBRARY_PATH: unpacked.libraries }];
      for (const environment of environments) {
        const answer = await askVersion(unpacked.executable, environment);
        if (answer.ok) return { executable: unpacked.executable, version: answer.version, environment };
        tried.push(`@sparticuz/chromium ${packed.version}: ${answer.reason}`);
      }
      await discardUnpacked(unpacked);
    } catch (error) {
      tried.push(`@sparticuz/chromium ${packed.version}: ${errorMessage(error)}`);
      return undefined; // nothing that another try would mend
    }
  }
  return undefined;
}

type VersionAnswer = { ok: true; version: string } | { ok: false; reason: string };

async function askVersion(
  executable: string,
  environment: Record<string, string> = {},
): Promise<VersionAnswer> {
  if (process.platform === "win32") return { ok: true, version: "unknown" }; // there the switch opens a window
  try {
    const { stdout } = await run(executable, ["--version"], {
      timeout: versionTimeout,
      env: { ...process.env, ...environment },
    });
    return { ok: true, version: stdout.trim() };
  } catch (error) {
    return { ok: false, reason: errorMessage(error).split("\n").slice(0, 3).join(" ").slice(0, 300) };
  }
}
