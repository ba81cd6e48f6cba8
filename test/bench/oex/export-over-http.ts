/** The whole export over HTTP: a large project with pictures, while others ask the host whether it lives. */
import { setTimeout as pause } from "node:timers/promises";
import { temporaryFolder } from "../measuring/clean-up.js";
import { BenchmarkHost, type FinishedExport } from "../pdf/benchmark-host.js";
import { type Peaks, peaksOf } from "../pdf/process-memory.js";
import { median, percentile } from "../pdf/statistics.js";
import { orderProject } from "./order-project.js";

export interface ExportResult {
  articles: number;
  /** Opening the session, milliseconds. */
  opening: number;
  /** The first export, which computes the prices. */
  first: number;
  /** The later ones, the median; NaN where there are none. */
  later: number;
  /** MiB, the highest ones. */
  memory: Peaks;
  /** Of the files, by extension. */
  bytes: Record<string, number>;
  /** Answers of `/healthz` during the exports, milliseconds. */
  health: { median: number; p95: number; worst: number };
}

export const exportOptions = { exportImages: true, oexVersion: "3.1" };
const millisecondsBetweenPolls = 20;

/** Exports a project of each size so many times, each size with a host of its own. */
export async function measureExports(sizes: readonly number[], rounds: number): Promise<ExportResult[]> {
  const results: ExportResult[] = [];
  for (const articles of sizes) results.push(await measureExport(articles, rounds));
  return results;
}

async function measureExport(articles: number, rounds: number): Promise<ExportResult> {
  const { path: folder, remove } = await temporaryFolder();
  const host = await BenchmarkHost.start(folder);
  try {
    await host.exportOex(await host.openSession(await orderProject(10)), exportOptions);
    const project = await orderProject(articles);
    const begun = performance.now();
    const session = await host.openSession(project);
    const opening = performance.now() - begun;
    const times: number[] = [];
    const health: number[] = [];
    let files: FinishedExport["files"] = {};
    const memory = await peaksOf(host.pid, async () => {
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        ({ files } = await polled(host, health, host.exportOex(session, exportOptions)));
        times.push(performance.now() - start);
      }
    });
    process.stderr.write(`${articles} articles: exported ${rounds} times\n`);
    const [first = Number.NaN, ...others] = times;
    return {
      articles,
      opening,
      first,
      later: median(others),
      memory,
      bytes: await host.sizes(files),
      health: { median: median(health), p95: percentile(health, 95), worst: percentile(health, 100) },
    };
  } finally {
    await host.stop();
    await remove();
  }
}

/** Polls the host until the work is done. */
async function polled<T>(host: BenchmarkHost, health: number[], work: Promise<T>): Promise<T> {
  let running = true;
  const polling = (async () => {
    while (running) {
      health.push(await host.health());
      await pause(millisecondsBetweenPolls);
    }
  })();
  try {
    return await work;
  } finally {
    running = false;
    await polling;
  }
}
