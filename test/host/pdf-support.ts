/**
 * A running PDF service for tests, and eyes for what it prints and what it leaves behind. Uses the part itself: documents of
 * any kind are printed without a plugin and a template for each.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { checked, type Log, Validator } from "@slipway/sdk";
import { type PrintJob, untraced } from "@slipway/sdk/runtime/host";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PDFDocumentProxy } from "pdfjs-dist/types/src/pdf.js";
import { PdfConfiguration } from "../../host/configuration/pdf-configuration.js";
import { createPdfService, type PdfService } from "../../host/pdf/pdf.js";
import { Pictures } from "../../host/pictures/pictures.js";
import { outgoingFetch } from "./fetch-support.js";

export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface ServiceSettings {
  varDirectory: string;
  pdf?: Record<string, unknown>;
  fetch?: Record<string, unknown>;
  /** Default: none. */
  log?: Log;
}

/**
 * A folder for a service. It goes when the tests have ended and everything has stopped that writes into it: fixtures of a
 * test go before its services do.
 */
export function varFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-pdf-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The service with its configuration checked as the host does it, not started yet. */
export function newService({ varDirectory, pdf = {}, fetch = {}, log = quiet }: ServiceSettings): PdfService {
  const configuration = checked(new Validator().compile(PdfConfiguration, "pdf")(pdf), "test");
  const pictures = new Pictures(configuration.pictures, log);
  const service = createPdfService({
    configuration,
    varDirectory,
    log,
    pictures,
    fetch: outgoingFetch(fetch, log),
  });
  const stop = service.stop.bind(service);
  return Object.assign(service, {
    stop: async () => {
      await stop();
      pictures.stop();
    },
  });
}

export async function startedService(settings: ServiceSettings): Promise<PdfService> {
  const service = newService(settings);
  await service.start();
  return service;
}

/** A job with a minute to go. */
export function job(html: string, more: Partial<PrintJob> = {}): PrintJob {
  return {
    html,
    tagged: false,
    archivable: false,
    scripts: false,
    prependLinks: [],
    appendLinks: [],
    resources: { load: () => Promise.resolve(undefined) },
    client: undefined,
    session: undefined,
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
    work: untraced(quiet),
    ...more,
  };
}

export function page(body: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Test</title>${head}</head><body>${body}</body></html>`;
}

/** Resources by path, as the host gives them. */
export function resources(files: Record<string, { mediaType: string; content: Uint8Array }>) {
  return {
    load: (path: string) => Promise.resolve(files[path]),
    has: (path: string) => files[path] !== undefined,
  };
}

export function open(content: Uint8Array): Promise<PDFDocumentProxy> {
  return getDocument({ data: new Uint8Array(content), verbosity: 0, isEvalSupported: false }).promise;
}

/** The text of each page. */
export async function pageTexts(content: Uint8Array): Promise<string[]> {
  const document = await open(content);
  const texts: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    texts.push(
      items
        .map((item) => ("str" in item ? item.str : ""))
        .join(" ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
  }
  await document.destroy();
  return texts;
}

/** How many pictures of which kind are stored in a PDF that Chromium wrote. */
export function pictures(content: Uint8Array): { jpeg: number; other: number } {
  const objects = Buffer.from(content).toString("latin1").split("endobj");
  const images = objects.filter((object) => /\/Subtype\s*\/Image/.test(object));
  const jpeg = images.filter((object) => object.includes("/DCTDecode")).length;
  return { jpeg, other: images.length - jpeg };
}

/** The process id of the browser whose profile is below the folder. Throws when there is none. */
export function browserOf(varDirectory: string): number {
  const found = processIds().find((pid) => {
    const line = commandOf(pid);
    return line.includes(`--user-data-dir=${varDirectory}`) && !line.includes("--type=");
  });
  if (found === undefined) throw new Error("no browser is running");
  return found;
}

/** The living processes of the group of a browser. */
export function processesOf(browser: number): { pid: number; type: string }[] {
  return processIds()
    .filter((pid) => groupOf(pid) === browser)
    .map((pid) => ({ pid, type: /--type=([\w-]+)/.exec(commandOf(pid))?.[1] ?? "browser" }));
}

/** Process ids of those that run a program for another process. */
export function workersOf(parent: number, program: string): number[] {
  // Programs that confine a process have its command line, too, behind their own.
  const isProgram = (pid: number): boolean =>
    commandOf(pid).startsWith(process.execPath) && commandOf(pid).includes(program);
  return processIds().filter((pid) => isProgram(pid) && isBelow(pid, parent));
}

/** Resident bytes of a process; 0 when it is gone. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s*(\d+)/.exec(statusOf(pid))?.[1] ?? 0) * 1024;
}

function isBelow(pid: number, ancestor: number): boolean {
  const parent = parentOf(pid);
  return parent === ancestor || (parent > 1 && isBelow(parent, ancestor));
}

function parentOf(pid: number): number {
  return Number(/PPid:\s*(\d+)/.exec(statusOf(pid))?.[1]);
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return ""; // ended meanwhile
  }
}

function processIds(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Undefined for a process that has ended, also when its parent has not taken notice yet. */
function groupOf(pid: number): number | undefined {
  try {
    const [state, , group] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return state === "Z" || group === undefined ? undefined : Number(group);
  } catch {
    return undefined;
  }
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // ended meanwhile
  }
}

/** Waits until the condition holds; throws when that takes longer than half a minute. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt++) {
    if (await condition()) return;
    await pause(10);
  }
  throw new Error(`waited in vain: ${what}`);
}
