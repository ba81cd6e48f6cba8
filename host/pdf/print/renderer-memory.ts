import type { Log } from "@slipway/sdk";
import { processMemory, watchMemory } from "../../system/process-memory.js";
import type { BrowserProcess } from "./browser-process.js";

/** Milliseconds between two checkIntervals; most documents are printed before the first. */
const checkIntervals = { near: 250, far: 250 };
/** Milliseconds within which the browser reports the end of a process. */
const toldWithin = 10_000;

/** Memory of renderer processes is known on Linux only. */
const isKnown = process.platform === "linux";

/** MiB of unshared memory of the largest renderer process; 0 where the system does not report it. */
export async function largestRenderer(browser: BrowserProcess): Promise<number> {
  if (!isKnown) return 0;
  return Math.round(Math.max(0, ...(await renderers(browser)).values()) / 1024 ** 2);
}

/**
 * Ends renderer processes that grow above a limit while documents are printed. Each page has its own process, so only
 * the document that takes so much fails.
 */
export class RendererLimit {
  private watch: { stop(): void } | undefined;
  private ended: { mebibytes: number; at: number }[] = [];

  constructor(
    private readonly browser: BrowserProcess,
    /** MiB. */
    private readonly limit: number,
    private readonly log: Log,
  ) {}

  /** Looks from now on, until `stop`. */
  start(): void {
    if (!isKnown) return;
    const limit = { mebibytes: this.limit, exceeded: this.end };
    this.watch = watchMemory(() => renderers(this.browser), [limit], checkIntervals);
  }

  stop(): void {
    this.watch?.stop();
  }

  /** MiB that the process of a page had, if the page was lost because its process was ended here. Each end counts once. */
  reasonOfLoss(): number | undefined {
    this.ended = this.ended.filter(({ at }) => performance.now() - at < toldWithin);
    return this.ended.shift()?.mebibytes;
  }

  private readonly end = (mebibytes: number, processId: number): void => {
    try {
      process.kill(processId, "SIGKILL");
    } catch {
      return; // it has ended, which others notice
    }
    this.ended.push({ mebibytes, at: performance.now() });
    this.log.warn("a renderer took more memory than a document may and is ended", {
      mebibytes,
      limit: this.limit,
    });
  };
}

/** Bytes of each renderer process that are its own, by its id; 0 for one that has just ended. */
async function renderers(browser: BrowserProcess): Promise<Map<number, number>> {
  const { processInfo } = await browser.connection.send("SystemInfo.getProcessInfo");
  const ids = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  return new Map(
    await Promise.all(ids.map(async (id) => [id, (await processMemory(id, "own")) ?? 0] as const)),
  );
}
