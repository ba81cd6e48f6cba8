/**
 * How fast a report is, end to end, compared in one interleaved run with the limit (the browser's own print of an
 * already loaded page) and with the usual way (warm browser, new page, content set, printed). The machine's load goes
 * into all of them alike, so the ratios count, not the times.
 *
 * Options: --rounds=N (of the one-page report; larger ones get fewer), --reports=N of the long run (0: none).
 */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pagesOf, readPdf } from "@slipway/sdk/runtime/pdf";
import type { Browser } from "puppeteer-core";
import { temporaryFolder } from "./measuring/clean-up.js";
import { BenchmarkHost } from "./pdf/benchmark-host.js";
import { LoadedPage, launchBrowser, printUsualWay, withoutMarginBoxes } from "./pdf/browser-contenders.js";
import { clients, closedLoop } from "./pdf/closed-loop.js";
import { largeProject } from "./pdf/large-project.js";
import { numberOption } from "./pdf/number-option.js";
import { PrintingService } from "./pdf/printing-service.js";
import { peakMemory, treeMemory } from "./pdf/process-memory.js";
import { DocumentServer, type WebDocument } from "./pdf/report-document.js";
import { median, percentile, short, table } from "./pdf/statistics.js";

const sizes = [
  { name: "S", articles: 1, share: 1, targets: { limit: 1, usual: 3.5 } },
  { name: "M", articles: 62, share: 0.3, targets: { limit: 0.92, usual: 1.6 } },
  { name: "L", articles: 640, share: 0.12, targets: { limit: 0.88, usual: 1.05 } },
];

type Contender = "plain" | "template" | "request" | "fetched" | "service" | "usual";
const titles: Record<Contender, string> = {
  plain: "loaded page",
  template: "loaded page, Chromium's header/footer",
  request: "our HTTP request",
  fetched: "and the PDF fetched",
  service: "its print alone",
  usual: "usual way",
};

interface Setup {
  host: BenchmarkHost;
  documents: DocumentServer;
  printing: PrintingService;
  /** A browser each, so that none is in the way of another. */
  limitBrowser: Browser;
  usualBrowser: Browser;
}

interface SizeResult {
  name: string;
  pages: number;
  /** Milliseconds of one client. */
  single: Record<Contender, { median: number; p95: number }>;
  /** Reports per second of eight clients, and MiB at the peak. */
  many: Record<"plain" | "request" | "usual", { perSecond: number; peakMemory: number }>;
  targets: { limit: number; usual: number };
}

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const rounds = numberOption(options, "rounds", 40);
  const reports = numberOption(options, "reports", 1000);
  const { path: folder, remove } = await temporaryFolder();
  const documents = new DocumentServer();
  await documents.start();
  const setup: Setup = {
    documents,
    printing: await PrintingService.start(join(folder, "printing"), documents),
    host: await BenchmarkHost.start(folder),
    limitBrowser: await launchBrowser(join(folder, "limit")),
    usualBrowser: await launchBrowser(join(folder, "usual")),
  };
  try {
    const results: SizeResult[] = [];
    for (const size of sizes)
      results.push(await measureSize(setup, size, Math.max(6, Math.round(rounds * size.share))));
    const drift = reports > 0 ? await measureDrift(setup, reports) : undefined;
    return { text: report(results, drift), json: { cores: availableParallelism(), sizes: results, drift } };
  } finally {
    await Promise.allSettled([
      setup.limitBrowser.close(),
      setup.usualBrowser.close(),
      documents.stop(),
      setup.printing.stop(),
      setup.host.stop(),
    ]);
    await remove();
  }
}

async function measureSize(setup: Setup, size: (typeof sizes)[number], rounds: number): Promise<SizeResult> {
  const { host, documents, printing, limitBrowser, usualBrowser } = setup;
  const project = await largeProject(size.articles);
  const session = await host.openSession(project);
  const data = await host.templateData(session);
  const document = await documents.add(size.name, data, project);
  const bare = documents.variant(`${size.name}-bare`, document, withoutMarginBoxes);
  const loaded = await LoadedPage.open(limitBrowser, document);
  const loadedBare = await LoadedPage.open(limitBrowser, bare);
  const work = {
    plain: () => loaded.print(),
    template: () => loadedBare.printWithHeaderAndFooter(),
    request: () => host.report(session),
    fetched: () => host.fetchedReport(session),
    service: () => printing.print(document),
    usual: () => printUsualWay(usualBrowser, document),
  };
  const pages = await samePages([work.plain, work.template, work.fetched, work.service, work.usual]);
  progress(`${size.name}: ${pages} pages, ${document.html.length} characters of HTML`);
  const single = await interleaved(work, rounds);
  const many = await eightClients(setup, document, session, Math.max(8, rounds * 2));
  return { name: size.name, pages, single, many, targets: size.targets };
}

/** Warms all contenders up and makes sure that they print the same number of pages. */
async function samePages(contenders: (() => Promise<Uint8Array>)[]): Promise<number> {
  let pages = 0;
  for (const print of contenders) {
    for (let warm = 0; warm < 3; warm++) {
      const file = readPdf(await print());
      const count = pagesOf(file, file.catalog).length;
      if (pages !== 0 && count !== pages) throw new Error(`one prints ${count} pages, another ${pages}`);
      pages = count;
    }
  }
  return pages;
}

async function interleaved(
  work: Record<Contender, () => Promise<unknown>>,
  rounds: number,
): Promise<SizeResult["single"]> {
  const times: Record<Contender, number[]> = {
    plain: [],
    template: [],
    request: [],
    fetched: [],
    service: [],
    usual: [],
  };
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length;
    for (const name of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const begun = performance.now();
      await work[name]();
      const took = performance.now() - begun;
      times[name].push(took);
      await pause(took); // what one cleans up afterwards is not the next one's time
    }
  }
  const of = (name: Contender) => ({ median: median(times[name]), p95: percentile(times[name], 95) });
  return {
    plain: of("plain"),
    template: of("template"),
    request: of("request"),
    fetched: of("fetched"),
    service: of("service"),
    usual: of("usual"),
  };
}

const contenders: Contender[] = ["plain", "template", "request", "fetched", "service", "usual"];

async function eightClients(
  setup: Setup,
  document: WebDocument,
  session: string,
  count: number,
): Promise<SizeResult["many"]> {
  const { host, limitBrowser, usualBrowser } = setup;
  const pages = await Promise.all(
    Array.from({ length: availableParallelism() }, () => LoadedPage.open(limitBrowser, document)),
  );
  const idle = [...pages];
  const waiting: ((page: LoadedPage) => void)[] = [];
  const onLoadedPage = async (): Promise<void> => {
    const page = idle.pop() ?? (await new Promise<LoadedPage>((resolve) => waiting.push(resolve)));
    await page.print();
    const next = waiting.shift();
    if (next === undefined) idle.push(page);
    else next(page);
  };
  const measured = async (pid: number | undefined, print: () => Promise<unknown>) => {
    const begun = performance.now();
    const peak = await peakMemory(pid ?? 0, () => closedLoop(count, print));
    return { perSecond: count / ((performance.now() - begun) / 1000), peakMemory: peak };
  };
  return {
    plain: await measured(limitBrowser.process()?.pid, onLoadedPage),
    request: await measured(host.pid, () => host.fetchedReport(session)),
    usual: await measured(usualBrowser.process()?.pid, () => printUsualWay(usualBrowser, document)),
  };
}

interface Drift {
  reports: number;
  /** After each tenth of the run. */
  memory: number[];
  medians: number[];
}

/** Many small reports one after the other: neither memory nor time may grow. */
async function measureDrift({ host }: Setup, reports: number): Promise<Drift> {
  const session = await host.openSession(await largeProject(1));
  const drift: Drift = { reports, memory: [], medians: [] };
  for (let tenth = 0; tenth < 10; tenth++) {
    const times: number[] = [];
    for (let report = 0; report < reports / 10; report++) {
      const begun = performance.now();
      await host.report(session);
      times.push(performance.now() - begun);
    }
    drift.memory.push(await treeMemory(host.pid));
    drift.medians.push(median(times));
    progress(`drift: ${(tenth + 1) * 10} %, ${short(drift.memory.at(-1) ?? 0)} MiB`);
  }
  return drift;
}

function report(results: SizeResult[], drift: Drift | undefined): string {
  const lines: string[] = ["One client, milliseconds (median / p95)"];
  const single = results.map(({ name, pages, single }) => [
    `${name}, ${pages} pages`,
    ...contenders.map((each) => `${short(single[each].median)} / ${short(single[each].p95)}`),
  ]);
  lines.push(table([["", ...contenders.map((each) => titles[each])], ...single]), "");
  lines.push("Ratios of the medians: how often our request goes into the other one's time");
  const ratios = results.map(({ name, single, targets }) => [
    name,
    short(single.plain.median / single.request.median),
    `${short(single.template.median / single.request.median)} (target ${targets.limit})`,
    `${short(single.usual.median / single.request.median)} (target ${targets.usual})`,
  ]);
  lines.push(table([["", titles.plain, titles.template, titles.usual], ...ratios]), "");
  lines.push(`${clients} clients, reports per second (peak MiB)`);
  const many = results.map(({ name, many }) => [
    name,
    ...[many.plain, many.request, many.usual].map(
      (each) => `${short(each.perSecond)} (${each.peakMemory.toFixed(0)})`,
    ),
  ]);
  lines.push(table([["", titles.plain, titles.request, titles.usual], ...many]));
  if (drift !== undefined) {
    lines.push("", `${drift.reports} reports one after the other, after each tenth`);
    lines.push(`memory, MiB:           ${drift.memory.map((each) => each.toFixed(0)).join(" ")}`);
    lines.push(`median, milliseconds:  ${drift.medians.map((each) => short(each)).join(" ")}`);
  }
  return lines.join("\n");
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
