import { readFile } from "node:fs/promises";
import type { Log } from "@slipway/sdk";
import type { BrowserProcess } from "./browser-process.js";

const pageBytes = 4096;
/** Milliseconds between two looks; most documents are printed before the first. */
const interval = 250;
/** Milliseconds within which the browser tells that a process has ended. */
const toldWithin = 10_000;

/** Memory of renderer processes is known on Linux only, from `/proc`. */
const isKnown = process.platform === "linux";

interface Renderer {
  pid: number;
  mebibytes: number;
}

/** MiB of memory of the largest renderer process that are its own; 0 where the system does not tell. */
export async function largestRenderer(browser: BrowserProcess): Promise<number> {
  if (!isKnown) return 0;
  return Math.max(0, ...(await renderers(browser)).map(({ mebibytes }) => mebibytes));
}

/**
 * Ends renderer processes that grow above a limit while documents are printed. Each page has a process of its own, so it
 * costs the one document that takes so much.
 */
export class RendererLimit {
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private readonly killed = new Set<number>();
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
    this.timer = setInterval(() => void this.look(), interval);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** MiB that the process of a page had, if the page was lost because its process was ended here. Each end counts once. */
  reasonOfLoss(): number | undefined {
    this.ended = this.ended.filter(({ at }) => performance.now() - at < toldWithin);
    return this.ended.shift()?.mebibytes;
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      for (const { pid, mebibytes } of await renderers(this.browser))
        if (mebibytes > this.limit && !this.killed.has(pid)) this.end(pid, mebibytes);
    } catch {
      // The browser or the process has ended, which others notice.
    } finally {
      this.looking = false;
    }
  }

  private end(pid: number, mebibytes: number): void {
    process.kill(pid, "SIGKILL");
    // It may be there for another look before it is gone.
    this.killed.add(pid);
    this.ended.push({ mebibytes, at: performance.now() });
    this.log.warn("a renderer took more memory than a document may and is ended", {
      mebibytes,
      limit: this.limit,
    });
  }
}

async function renderers(browser: BrowserProcess): Promise<Renderer[]> {
  const { processInfo } = await browser.connection.send("SystemInfo.getProcessInfo");
  const ids = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  return Promise.all(ids.map(async (pid) => ({ pid, mebibytes: await ownMemory(pid) })));
}

/** MiB: resident minus shared pages; 0 for a process that has just ended. */
async function ownMemory(pid: number): Promise<number> {
  const [, resident, shared] = (await readFile(`/proc/${pid}/statm`, "utf8").catch(() => ""))
    .split(" ")
    .map(Number);
  if (resident === undefined || shared === undefined) return 0;
  return Math.round(((resident - shared) * pageBytes) / 1024 ** 2);
}
