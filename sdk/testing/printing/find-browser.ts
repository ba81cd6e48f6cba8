import { constants } from "node:fs";
import { access } from "node:fs/promises";
import {
  installedPlaces,
  puppeteerCachePlaces,
  realProgram,
  unpackedPlaces,
} from "../../runtime/browsers/browser-places.js";

const ways =
  "Get one by `npx puppeteer browsers install chrome-headless-shell` or, on Debian and Ubuntu, by " +
  "`apt-get install chromium-headless-shell`, or name one: chromiumPrinter({ executable }), or the environment " +
  "variable PUPPETEER_EXECUTABLE_PATH.";

/**
 * The browser to print with: the given one, that of `PUPPETEER_EXECUTABLE_PATH`, else the first that there is in puppeteer's
 * cache, on PATH, in the usual folders, or unpacked by a host of the same user. Rejects where there is none, with the ways to
 * get one.
 */
export async function findBrowser(given: string | undefined): Promise<string> {
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
