/** The whole export over HTTP: a large project with pictures, while others ask the host whether it lives. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { BenchmarkHost } from "../pdf/benchmark-host.js";
import { largeProject } from "../pdf/large-project.js";
import { peakMemory } from "../pdf/process-memory.js";
import { median, percentile } from "../pdf/statistics.js";

export interface ExportResult {
  articles: number;
  /** Request, and the OEX file fetched; the median. */
  milliseconds: number;
  perSecond: number;
  /** MiB of host and plugins, the highest one. */
  peakMemory: number;
  /** Of the OEX file. */
  bytes: number;
  /** Answers of `/healthz` during the exports, milliseconds. */
  health: { median: number; p95: number; worst: number };
}

const exportOptions = { exportImages: true };
const millisecondsBetweenPolls = 20;

export async function measureExport(articles: number, rounds: number): Promise<ExportResult> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-bench-"));
  const host = await BenchmarkHost.start(folder);
  try {
    await host.exportOex(await host.openSession(await largeProject(10)), exportOptions);
    const session = await host.openSession(await largeProject(articles));
    const times: number[] = [];
    const health: number[] = [];
    let bytes = 0;
    const memory = await peakMemory(host.pid, async () => {
      for (let round = 0; round < rounds; round++) {
        const begun = performance.now();
        ({ bytes } = await polled(host, health, host.exportOex(session, exportOptions)));
        times.push(performance.now() - begun);
      }
    });
    const milliseconds = median(times);
    return {
      articles,
      milliseconds,
      perSecond: articles / (milliseconds / 1000),
      peakMemory: memory,
      bytes,
      health: { median: median(health), p95: percentile(health, 95), worst: percentile(health, 100) },
    };
  } finally {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
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
