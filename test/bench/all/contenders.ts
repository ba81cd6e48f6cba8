/**
 * The services that print the same HTML. Uses the part itself: they print with the browser and the fonts that a host finds.
 */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installedPlaces, puppeteerCachePlaces, realProgram } from "@slipway/sdk/runtime/host";
import { writeFontConfiguration } from "../../../host/pdf/fonts/font-configuration.js";
import { findBrowser } from "../../../host/pdf/print/find-browser.js";
import { errorMessage } from "../../../host/system/errors.js";
import { bundleProgram } from "../measuring/bundle-program.js";
import { ListeningProcess } from "../measuring/listening-process.js";
import { installJsreport, jsreportVersion } from "./jsreport.js";
import type { PrintDocument } from "./print-documents.js";

const run = promisify(execFile);

/** Prints documents. */
export interface PrintService {
  /** Of the process that was started. */
  pid: number;
  print(document: PrintDocument): Promise<Uint8Array>;
  stop(): Promise<void>;
}

export interface Contender {
  name: string;
  version: string;
  /** So many times its rate is the aim. */
  aims: { onePage: number; manyPages: number | undefined };
  /** Reports of one measurement in the number of the host's. */
  share: number;
  start(folder: string): Promise<PrintService>;
}

/** What there is none of on this machine. */
export interface MissingContender {
  name: string;
  reason: string;
}

interface Program {
  executable: string;
  version: string;
  environment: Record<string, string>;
}

const flags = [
  "--font-render-hinting=none",
  "--disable-gpu",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
const titles = {
  reference: "reference service",
  shell: "jsreport, headless shell",
  chromium: "jsreport, full Chromium",
};

/** The contenders that can run here, and the others with the reasons. */
export async function findContenders(
  browser: Program,
): Promise<{ contenders: Contender[]; missing: MissingContender[] }> {
  const contenders: Contender[] = [reference(browser)];
  const missing: MissingContender[] = [];
  try {
    const { folder, node, nodeVersion } = await installJsreport();
    const withBrowser = (name: string, kind: "shell" | "chromium", program: Program): Contender => ({
      name,
      version: `jsreport ${jsreportVersion}, Node.js ${nodeVersion}, ${program.version}`,
      aims: kind === "shell" ? { onePage: 7, manyPages: 5 } : { onePage: 12, manyPages: undefined },
      share: 0.2,
      start: (own) => startJsreport({ folder, node, kind, program, own }),
    });
    contenders.push(withBrowser(titles.shell, "shell", browser));
    const chromium = await fullChromium();
    if (chromium === undefined)
      missing.push({ name: titles.chromium, reason: "no full Chromium on this machine" });
    else contenders.push(withBrowser(titles.chromium, "chromium", chromium));
  } catch (error) {
    const reason = errorMessage(error);
    missing.push({ name: titles.shell, reason }, { name: titles.chromium, reason });
  }
  return { contenders, missing };
}

/** The one that a host takes. */
export function browserOfHosts(folder: string): Promise<Program> {
  return findBrowser({ executable: undefined, cache: undefined, varDirectory: folder });
}

/** Not the headless shell. */
async function fullChromium(): Promise<Program | undefined> {
  for (const place of [...(await puppeteerCachePlaces()), ...(await installedPlaces())]) {
    if (/headless.shell/.test(place)) continue;
    const executable = await realProgram(place);
    const version = await run(executable, ["--version"]).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    );
    if (version !== undefined) return { executable, version, environment: {} };
  }
  return undefined;
}

function reference(browser: Program): Contender {
  return {
    name: titles.reference,
    version: `Node.js ${process.versions.node}, ${browser.version}`,
    aims: { onePage: 1, manyPages: 1.5 },
    share: 1,
    async start(folder) {
      const service = await started("reference-service", folder, browser, [
        browser.executable,
        join(folder, "profile"),
      ]);
      return printing(service, (html) => ({ path: "/", type: "text/html", body: html }));
    },
  };
}

async function startJsreport(options: {
  folder: string;
  node: string;
  kind: "shell" | "chromium";
  program: Program;
  own: string;
}): Promise<PrintService> {
  const { folder, node, kind, program, own } = options;
  const parameters = [folder, program.executable, kind, join(own, "temporary")];
  const service = await started("jsreport-service", own, program, parameters, node);
  return printing(service, (html) => ({
    path: "/api/report",
    type: "application/json",
    body: JSON.stringify({
      template: {
        content: html,
        engine: "none",
        recipe: "chrome-pdf",
        chrome: { format: "A4", printBackground: true, preferCSSPageSize: true },
      },
    }),
  }));
}

/** Bundled first: a compiler would be in its memory. */
async function started(
  name: string,
  folder: string,
  program: Program,
  parameters: readonly string[],
  node?: string,
): Promise<ListeningProcess> {
  const bundles = fileURLToPath(new URL("../../../node_modules/.cache/slipway-bench", import.meta.url));
  const bundle = join(bundles, `${name}.mjs`);
  await bundleProgram(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), bundle);
  await mkdir(join(folder, "temporary"), { recursive: true });
  const fonts = await writeFontConfiguration(join(folder, "fonts"), {
    added: join(folder, "added-fonts"),
    configured: [],
  });
  return ListeningProcess.start({
    parameters: [bundle, ...parameters, ...flags],
    log: join(folder, "service.log"),
    // jsreport writes logs there, wanted or not.
    folder,
    ...(node !== undefined && { node }),
    environment: { ...program.environment, FONTCONFIG_FILE: fonts },
  });
}

function printing(
  service: ListeningProcess,
  request: (html: string) => { path: string; type: string; body: string },
): PrintService {
  return {
    pid: service.pid,
    stop: () => service.stop(),
    async print({ htmlWithLinks }) {
      const { path, type, body } = request(htmlWithLinks);
      const response = await fetch(new URL(path, service.url), {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
      const content = new Uint8Array(await response.arrayBuffer());
      if (!response.ok)
        throw new Error(`${response.status} ${Buffer.from(content.subarray(0, 500)).toString()}`);
      return content;
    },
  };
}
