/** Where browsers are on the machines of those who write plugins. */
import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Headless shells first: they print in about half the time of a full browser. */
const commands = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "google-chrome-stable",
  "google-chrome",
  "chromium",
  "chromium-browser",
];

const usualPlaces: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["/usr/lib/chromium/chromium-headless-shell", "/opt/google/chrome/chrome", "/snap/bin/chromium"],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: ["C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"],
};

const ways =
  "Get one by `npx puppeteer browsers install chrome-headless-shell` or, on Debian and Ubuntu, by " +
  "`apt-get install chromium-headless-shell`, or name one: chromiumPrinter({ executable }), or the environment " +
  "variable PUPPETEER_EXECUTABLE_PATH.";

/**
 * The browser to print with: the given one, that of `PUPPETEER_EXECUTABLE_PATH`, else the first of PATH and the usual
 * folders, of puppeteer's cache, and of what a Slipway host of the same user has unpacked. Rejects where there is none, with
 * the ways to get one.
 */
export async function browserExecutable(given: string | undefined): Promise<string> {
  const named = given ?? process.env["PUPPETEER_EXECUTABLE_PATH"];
  if (named) {
    if (await isProgram(named)) return named;
    const origin = given === undefined ? "PUPPETEER_EXECUTABLE_PATH" : "chromiumPrinter({ executable })";
    throw new Error(`${origin} names no program that can be started: ${named}`);
  }
  for (const place of [...installedPlaces(), ...(await cachedPlaces())]) {
    if (await isProgram(place)) return place;
  }
  throw new Error(`There is no Chrome or Chromium to print with. ${ways}`);
}

function installedPlaces(): string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...(usualPlaces[process.platform] ?? [])];
}

/** Newest version first. */
async function cachedPlaces(): Promise<string[]> {
  const own = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const puppeteer = process.env["PUPPETEER_CACHE_DIR"] || join(homedir(), ".cache", "puppeteer");
  const places: string[] = [];
  for (const name of ["chrome-headless-shell", "chrome"]) {
    for (const version of await folders(join(puppeteer, name))) {
      for (const inner of await folders(version)) places.push(join(inner, name), join(inner, `${name}.exe`));
    }
  }
  const unpacked = await folders(join(own, "slipway"));
  return [...places, ...unpacked.map((folder) => join(folder, "chromium"))];
}

async function folders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []); // most of them are not there
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(path, entry.name))
    .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
