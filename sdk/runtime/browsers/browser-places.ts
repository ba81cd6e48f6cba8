/** Finds installed browsers: puppeteer's cache, PATH, the usual folders. */
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, open, readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Milliseconds; the first start of a browser on a busy machine is slow. */
const startTimeout = 20_000;

/** Headless shells first: they print about twice as fast as a full browser with half the memory. */
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

/** Browsers installed by `npx puppeteer browsers install`, newest first, the headless shell before Chrome. */
export async function puppeteerCachePlaces(): Promise<string[]> {
  const cache = process.env["PUPPETEER_CACHE_DIR"] || join(homedir(), ".cache", "puppeteer");
  const programs: [string, string[]][] = [
    ["chrome-headless-shell", ["chrome-headless-shell", "chrome-headless-shell.exe"]],
    [
      "chrome",
      ["chrome", "chrome.exe", "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"],
    ],
  ];
  const found: string[] = [];
  for (const [browser, names] of programs) {
    for (const version of (await folders(join(cache, browser))).sort(newestFirst)) {
      for (const inner of await folders(join(cache, browser, version))) {
        found.push(...names.map((name) => join(cache, browser, version, inner, name)));
      }
    }
  }
  return existing(found);
}

/** Existing programs on `PATH` and then in the usual folders, in order of preference. */
export async function installedPlaces(): Promise<string[]> {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const onPath = commands.flatMap((command) => path.map((folder) => join(folder, command)));
  return existing([...onPath, ...(usualPlaces[process.platform] ?? [])]);
}

/**
 * The program behind a starter script. Debian's headless shell is a script that does not `exec` the browser,
 * so a signal to the script would leave the browser running. The script is kept if its program does not start
 * without it: it may set up the environment, such as library folders.
 */
export async function realProgram(path: string): Promise<string> {
  const program = await programBehind(path);
  return program === path || (await starts(program)) ? program : path;
}

async function programBehind(path: string): Promise<string> {
  if ((await firstBytes(path, 2)) !== "#!") return path;
  const script = await readFile(path, "utf8");
  for (const [named] of script.matchAll(/\/[\w.+-]+(?:\/[\w.+-]+)+/g)) {
    if (/chrom|headless/.test(basename(named)) && (await isProgram(named))) return named;
  }
  const sibling = `/usr/lib/chromium/${path.split("/").at(-1) ?? ""}`;
  return (await isProgram(sibling)) ? sibling : path;
}

/** Browsers unpacked by Slipway hosts of this user, newest first. */
export async function unpackedPlaces(): Promise<string[]> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "slipway");
  const versions = (await folders(cache)).filter((name) => name.startsWith("chromium-"));
  return existing(versions.sort(newestFirst).map((version) => join(cache, version, "chromium")));
}

async function starts(program: string): Promise<boolean> {
  return run(program, ["--version"], { timeout: startTimeout }).then(
    () => true,
    () => false,
  );
}

async function isProgram(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true && (await firstBytes(path, 4)) === "\x7fELF";
}

async function firstBytes(path: string, length: number): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function existing(paths: string[]): Promise<string[]> {
  const checks = await Promise.all(
    paths.map((path) =>
      access(path, constants.X_OK).then(
        () => path,
        () => undefined,
      ),
    ),
  );
  return checks.filter((path) => path !== undefined);
}

async function folders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

function newestFirst(first: string, second: string): number {
  return second.localeCompare(first, "en", { numeric: true });
}
